/// The names of Gradle's language, by what is known of them.
enum GradleNames {
    /// The names of methods, properties and types of Gradle, of Android's and usual plugins, of Groovy and of Kotlin that are known to
    /// leave alone what ships: they build, test, sign, publish or compute. None of them writes a file, starts a program,
    /// changes a task, or takes a variant away by itself, in any place.
    static let harmless = names(
        """
        aaptOptions abi abiFilters abortOnError aboutLibraries AbstractTestTask Action
        activateDependencyLocking add addAll addBuildListener additionalParameters
        additionalSourceDirsForSourceContext addTestListener afterEvaluate afterProject afterResolve
        afterSuite afterTest agcp aggregation aidl alias all allDevices allOf allow allowDependency
        allowInsecureProtocol allowUntrustedServer allowUrl allprojects allRules allWarningsAsErrors
        also android androidComponents AndroidComponentsExtension AndroidLintTask androidMain
        androidResources androidTarget androidTestCompile androidTestUtil animationsDisabled
        annotatedBy annotationProcessor annotationProcessorOptions anvil Any any api apiLevel
        ApkVariantOutputImpl apollo ApolloExtension appendLine AppExtension appId application
        ApplicationAndroidComponentsExtension ApplicationBuildType ApplicationExtension
        ApplicationProductFlavor ApplicationVariant applicationVariants apply
        applyDefaultHierarchyTemplate applyNativeModulesAppBuildGradle
        applyNativeModulesSettingsGradle AppPlugin arch archivesBaseName archivesName arg args
        arguments ArrayList arrayOf artifact artifactName artifactPath artifactType asProvider
        asSequence assertEquals assertNormalExitValue assertTrue assets associate associateBy
        associateWith associateWithNotNull attachGradleScanId authentication authToken autoCorrect
        autoInstallation autolinkLibrariesFromCommand autolinkLibrariesWithApp
        automaticGenerationDuringBuild autoUploadNativeSymbols autoUploadProguardMapping
        autoUploadSourceContext availableProcessors base BaseAppModuleExtension BaseExtension
        BaseFlavor BaseKtLintCheckTask baseline baselineProfile baseName basePath BasePlugin
        BaseVariantOutputImpl basic BasicAuthentication because beforeEvaluate beforeProject
        beforeResolve beforeSuite beforeTask beforeVariants Boolean browser bufferedReader
        BuildAdapter buildCache buildConfig buildConfigField buildConfigFieldStr buildDir
        buildFeatures buildFinished BuildResult buildScan buildscript BuildService buildString
        buildToolsVersion BuildType buildTypes buildUponDefaultConfig builtins bundle bundleCommand
        bundleID ByteArray ByteArrayInputStream ByteArrayOutputStream cacheChangingModulesFor
        cacheDynamicVersionsFor call canRead capabilities capitalize capitalized category cFlags
        Char check checkAllWarnings checkBundler checkDependencies checkGeneratedSources
        checkNotNull checkReleaseBuilds Checkstyle checkstyle checkTestSources classes Classpath
        classpath clean cliFile Closure cmake codegenDir coerceAtLeast coerceAtMost collect
        coloredOutput CommonExtension commonMain compile compileOnly compileOptions compilerArgs
        compilerArgumentProviders compilerFor compilerOptions compileSdk compileSdkExtension
        compileSdkMinor compileSdkPreview compileSdkVersion componentName compose composeCompiler
        ComposeCompilerGradlePluginExtension ComposeExtension composeOptions compressionLevel concat
        condition config configFile ConfigurableFileCollection configuration configurations
        configure configureEach constraints consumerProguardFiles contains containsKey content
        contentEquals convention Copy copy coreLibraryDesugaring coreLibraryDesugaringEnabled
        coroutines correctErrorTypes count cppFlags CrashlyticsExtension CrashlyticsPlugin create
        creating credentials cruncherEnabled crunchPngs current currentTimeMillis customPrefix
        customRibbon customRuleSets cyclonedxBom dataBinding datadog Date debug debuggable
        debuggableVariants debugSymbolLevel decapitalize decode defaultConfig DefaultTask Delete
        density dependencies dependenciesInfo Dependency dependencyAnalysis dependencyCheck
        dependencyGuard DependencyHandler DependencyHandlerScope dependencyLocking
        DependencyReportTask dependencyResolutionManagement DependencyResolveDetails
        dependencySubstitution DependencyUpdatesTask dependsOn description desktop destination
        Detekt detekt DetektCreateBaselineTask DetektExtension detektPlugins develocity device
        deviceFilters DeviceProviderInstrumentTestTask devices dex dexguardEnabled
        dexLayoutOptimization dexOptions digest dimension dir directories Directory directory
        DirectoryProperty directoryProperty dirs disable disabled disabledRules disallowChanges
        DisplayName displayName distinct distinctBy distributionType doFirst doLast doNotStrip
        downloadJavadoc downloadSources drop dropLast dropWhile duplicatesStrategy each eachByte
        eachDependency eachFile eachLine eachPlugin eachWithIndex easylauncher eclipseWtp
        editorConfigOverride effort emptyArray emptyList emptyMap emptySequence emptySet enable
        enableAggregatingTask enableAndroidTest enableAndroidTestCoverage enableAotCache enabled
        enableExperimentalRules enableFeaturePreview enablePlugins enableSplit
        enableStricterValidation enableUnitTest enableUnitTestCoverage enableV1Signing
        enableV2Signing enableV3Signing enableV4Signing encodeHex encoding endsWith endWithNewline
        enforcedPlatform entries entryFile environment environmentVariable equals equalsIgnoreCase
        Error error errorOutput escapeJava evaluationDependsOn events every Exception
        exceptionFormat exclude excludeDirs excludeGroup excludes excludeTags exclusiveContent Exec
        exec execution exists exitValue experimentalProperties expression ext ExtensionAware
        extensions ExternalModuleDependency externalNativeBuild externalProcessName extra
        ExtraPropertiesExtension failFast failOnPassedAfterRetry failOnWarning features File file
        FileInputStream fileMode FilenameFilter FileNotFoundException filePermissions fileProperty
        files fileTree filter filterIsInstance filterKeys filterNot filterNotNull filters
        filterValues finalizedBy finalizeDsl finalizeValue find findAll findBundle findByName
        findByPath findByType findLibrary findPlugin findProject findProperty findVersion
        firebaseAppDistribution firebaseCrashlytics first firstOrNull fladle flatDir flatMap flatten
        flavorDimensions flutter fold force forEach forEachIndexed fork forkEvery format formats
        forRepository framework freeCompilerArgs from fromTarget GenerateBuildConfig
        generatedDensities generateKotlin generateLocaleConfig generateProtoTasks get
        getAbsoluteFile getAbsolutePath getAsText getAt getAttribute getBuildDirectory
        getBuiltArtifactsLoader getByName getByType getClassDirectories getDefaultProguardFile
        getDependencies getElementsByTagName getenv getExecutionData getExtensions getFilter
        getGradle getInstance getIsDefault getLayout getNamedItem getOrDefault getOrElse getOrNull
        getOrThrow getParentFile getPath getPluginId getPluginManager getPlugins getProperties
        getProperty getRootProject getRuntime getRuntimeMXBean getSourceDirectories
        getStandardOutput getStartParameter getString getTaskRequests getTasks getText getTimeZone
        getting getUrlDecoder google googleJavaFormat GoogleServicesTask gradle GradleException
        gradleLocalProperties gradlePlugin gradlePluginPortal gradleProperty GradleScriptException
        gradleVersion gravity greclipse greendao groovyGradle group groupBy groupId groups has
        HasAndroidTest HasAndroidTestBuilder HashMap HashSet hasPlugin hasProperty
        HasUnitTestBuilder hermesCommand hilt host hostname htmlOutput htmlReport HttpBuildCache id
        idea identityName ifBlank ifEmpty ignoreAssetsPattern ignoreCase ignoredBuildTypes
        ignoredFlavors ignoreExitValue ignoreFailures ignoreKtx ignoreTestSources ignoreWarnings
        IllegalArgumentException IllegalStateException implementationClass include
        includeAndroidResources includeBomSerialNumber includeBuild includeCompileClasspath
        includeDefault includeDependenciesReport includeDependency includeEmptyDirs includeEngines
        includeGroup includeGroupAndSubgroups includeGroupByRegex includeInApk includeInBundle
        includeLicenseText includeModule includeNativeSources includeNoLocationClasses
        includeProguardMapping includeSourceContext includeTags includeVersion includeVersionByRegex
        indentWithSpaces info infoPlist Inject InjectMappingFileIdTask Input InputDirectory
        InputFile InputFiles inputStream instrumentationEnabled Int intArrayOf intdiv Integer
        Internal introspection iosArm64 iosSimulatorArm64 iosX64 ipAddresses isAllowInsecureProtocol
        isAllowUntrustedServer isBlank isCompatibleWith isContinueOnFailure
        isCoreLibraryDesugaringEnabled isCrunchPngs isDebuggable isDefault isDirectory isEmpty
        isEnable isEnabled isFamily isFile isFork isIncludeAndroidResources isIncremental
        isJniDebuggable isLinux isLowerCase isMacOsX isMinifyEnabled isNotBlank isNotEmpty
        isNullOrBlank isNullOrEmpty isPreserve isPseudoLocalesEnabled isPush isReturnDefaultValues
        isShrinkResources isStatic issues isTransitive isUniversalApk isWindows item ivy jacoco
        JacocoPlugin JacocoPluginExtension JacocoReport JacocoTaskExtension java JavaBasePlugin
        JavaCompile javaCompileOptions javaCompiler javaMaxHeapSize javaParameters
        JavaPluginExtension JavaVersion jcenter jniDebuggable jniLibs join joinTo joinToString js
        JsonOutput JsonSlurper jvm jvmArgs jvmTarget jvmToolchain kapt kaptAndroidTest kaptTest
        keepDebugSymbols keeper keepRules keyAlias keyPassword keys knit KoinGradleExtension kotlin
        KotlinAndroidPluginWrapper KotlinAndroidProjectExtension KotlinBasePlugin KotlinClosure2
        KotlinCommonCompilerOptions KotlinCompilationTask KotlinCompile
        kotlinCompilerExtensionVersion kotlinGradle KotlinJvmCompile KotlinJvmCompilerOptions
        KotlinJvmOptions KotlinJvmProjectExtension KotlinMultiplatformExtension kotlinOptions
        kotlinScriptAdditionalPaths KotlinTopLevelExtension kover KoverProjectExtension ksp
        kspAndroid kspAndroidTest kspDesktop KspExtension KspGradleSubplugin kspTest ktlint
        KtLintCheckTask KtlintExtension KtLintFormatTask ktlintRuleset label language languages
        languageSettings languageVersion last lastModified lastOrNull lazy leadingTabsToSpaces
        length let LibrariesForLibs library LibraryAndroidComponentsExtension LibraryExtension
        LibraryPlugin libraryVariants libs licensee LicenseeExtension licenseHeaderFile
        licenseReport lifecycle lines lineSeparator LinkedHashMap linkerOpts Lint lint lintCheck
        lintChecks lintConfig lintFormat lintOptions List listFiles listOf listOfNotNull
        ListProperty listProperty load local localDevices localeFilters localResultsDir
        lockAllConfigurations logcat Long lowercase lowercaseChar main mainClass major
        managedDevices ManagedVirtualDevice Map map mapKeys mapNotNull mapOf
        mappingFileUploadEnabled MapProperty mapProperty mapScalar mapTo mapValues matchEntire
        Matcher matcher matches matching matchingFallbacks maven MavenArtifactRepository
        mavenCentral mavenContent mavenLocal mavenPom max maxDepth maxFailures maxHeapSize maxOf
        maxParallelForks maxRetries maxTestShards maybeCreate measureBuilds merge mergeIntoMain
        merges metadataSources metricsDestination metro min minHeapSize minifyEnabled
        MinimalExternalModuleDependency minLevel minOf minor minSdk minSdkVersion
        missingDimensionStrategy MissingMethodException MissingValueException mkdir mkdirs
        mlModelBinding module ModuleComponentIdentifier modules multiDexEnabled mustRunAfter
        MutableList mutableListOf MutableMap mutableMapOf MutableSet mutableSetOf name named
        namespace nativeSymbolUploadEnabled ndk ndkBuild ndkPath ndkVersion newDataInputStream
        newDocumentBuilder newInputStream noCompress nodeExecutableAndArgs noLines none normalize
        not notCompatibleWithConfigurationCache now obfuscate obfuscation Object ObjectFactory
        objects of ofPattern omitVisitors onFailure onIncorrectConfiguration onlyAnalyze onlyIf
        onRedundantPlugins onSuccess onUnusedAnnotationProcessors onUnusedDependencies
        onUsedTransitiveDependencies onVariants optimization optimizationLevel optimizeCode optIn
        option Optional optional options orElse orElseThrow orEmpty org os OutputDirectory
        outputDirectory OutputFile outputFileName outputProcessor outputToConsole packageName
        packages packageVersion packaging packagingOptions Pair parallel parameters parse parseInt
        parseText partition password path PathSensitive PathSensitivity Pattern pattern
        patternLayout pickFirst pickFirsts platform play PlayPublisherExtension Plugin plugin
        PluginDependency pluginManagement PluginManager pluginManager plugins plus Pmd pmd
        postBuildExtras postprocessing prebuiltToolchains preDexLibs predictiveTestSelection prefab
        preferProjectModules prefix preserveFileTimestamps prettier prettyPrint print printf println
        ProductFlavor productFlavors profile proguard proguardFile proguardFiles Project project
        ProjectDependency projectDir projectName projectsEvaluated Properties properties Property
        property proto protobuf protoc provided Provider provider ProviderFactory providers
        pseudoLocalesEnabled publicApikey publishing push put putAll react reactNativeDir
        ReactSettingsExtension read readBytes reader readLine readLines readText recoverCatching
        redirectError redirectOutput reduce Regex register registerIfAbsent registering RegularFile
        RegularFileProperty rejectVersionIf relativeTo release releaseNotes releaseNotesFile
        releasesOnly remote removeDefaultExclude removePrefix removeSuffix removeUnusedCode
        removeUnusedEntriesAfterDays removeUnusedImports removeUnusedResources rename renderScript
        renderscriptSupportModeEnabled repeat replace replaceAll replaceFirst replaceFirstChar
        report reportBlocking reporter reporters ReportingExtension reportLevel reports
        reportsDestination repositories repositoriesMode reproducibleFileOrder require required
        requireNotNull resConfig resConfigs reset resolutionStrategy resolve resolveStrategy
        resourceConfigurations resourcePrefix resources ResourcesExtension respondsTo resValues
        retrofit retry returnDefaultValues reversed ribbonColor room RoomExtension root ruleSetFiles
        ruleSets run runCatching RuntimeException runtimeOnly safeExtGet sarifReport saveInSrc
        schemaDirectory schemaVersion screenshotTests selector sentry SentryPluginExtension
        sentryVersion separator Sequence sequenceOf server service serviceAccountCredentials
        serviceAccountEmail serviceCredentialsFile Set set setDependsOn setExtendsFrom setFilters
        setForcedModules setFrom setOf setProguardFiles SetProperty setSource setTimeOut setUrl
        severity shaders shardTime shot ShotExtension shouldRunAfter showAll showCauses
        showExceptions showNameOnTiles showOnlyFailingTestsInReports showProgress showStackTraces
        showStandardStreams shrinkResources signingConfig signingConfigs SimpleDateFormat single
        singleOrNull size skipProject smartFlankGcsPath snapshots snapshotsOnly sonar sonarqube
        SonarResolverTask sort sorted sortedBy sortedDescending source sourceCompatibility sources
        sourceSets split splits spotbugs spotbugsPlugins SpotBugsTask spotless SpotlessExtension
        SpotlessTask srcDir srcDirs stabilityValidation standardOutput start startsWith
        StopActionException storeFile storePassword storeType strictly String StringBuffer
        StringBuilder StringWriter stripIndent strippedNativeLibsDir structure subprojects
        substitute substring substringAfter substringAfterLast substringBefore substringBeforeLast
        sumOf Suppress suppressionFiles suppressWarnings Sync synchronized systemImageSource
        systemImageSources systemProperties systemProperty tag take takeIf takeUnless takeWhile
        tapmoc target targetCompatibility targetExclude targetFormats targetProjectPath targets
        targetSdk targetSdkVersion Task task TaskContainer TaskProvider tasks telemetry
        termsOfUseAgree termsOfUseUrl Test testApplicationId testBuildType testCompile
        testCoverageEnabled TestDescriptor testedAbi TestedExtension testers TestExtension
        testFixtures testInstrumentationRunner testInstrumentationRunnerArguments TestListener
        testLogging testNamespace testOptions testProguardFile testProguardFiles TestResult
        testRetry testTargets testVariants textReport textSizeRatio the Throwable titlecase to
        toBoolean toBooleanStrict toByte toByteArray TODO toDouble toFile toFloat toInt toInteger
        toIntOrNull toJson tokenize tolerance toList toLong toLowerCase toMap toMutableList
        toMutableMap toolchain toolVersion toPath toRegex toSet toString toTypedArray toUpperCase
        toVersion traceReferences tracingInstrumentation track transitive trim trimEnd trimIndent
        trimMargin trimStart trimTrailingWhitespace Triple type Unit UnitTest unitTests universalApk
        UnknownDomainObjectException unstrippedNativeLibsDir until update uploadInBackground
        UploadMappingFileTask uploadNativeSymbols uppercase uppercaseChar uppercaseFirstChar
        upToDateWhen URI uri URL url use useBuildCache useComposer useConnectedDevices
        useExpoModules useExpoVersionCatalog useJUnit useJUnitPlatform useKotlinOutput
        useLegacyPackaging useLibrary useModule user userFraction username useSupportLibrary
        useTarget useVersion using v1SigningEnabled v2SigningEnabled validatePlugins value valueOf
        values Variant variant VariantDimension variantFilter VariantOutputImpl vectorDrawables
        verbose version VersionCatalog versionCatalogs VersionCatalogsExtension versionCatalogUpdate
        versionCode versionCodeOverride VersionConstraint versionName versionNameOverride
        versionNameSuffix viewBinding waitFor walk walkTopDown warn warnInBox warningsAsErrors
        wasmJs wearApp whenObjectAdded whenPluginAdded whenReady whenTaskAdded with withBuildType
        withDefault withFlavor withId withInputStream withPlugin withReader withStream withType
        workingDir wrapper xmlOutput xmlReport XmlSlurper Zip zip
        """)

    static let keywords = names(
        """
        abstract as assert boolean break by case catch class companion const constructor continue
        crossinline data def default do else enum extends false final finally for fun if implements
        get import in inline init inner instanceof int interface internal is it lateinit long new noinline
        null object open operator out override package private protected public reified return sealed
        static super suspend switch this throw throws true try typealias val var vararg void when where
        while
        """)
    /// The words before a name that they define.
    static let definers = typeDefiners.union(
        names(
            """
            boolean Boolean Closure def File final int Integer List long Long Map Object private
            Properties protected public static String Task val var void
            """))
    static let typeDefiners = names("class enum fun interface object task typealias")
    /// The programs that change no files of a project, with arguments as they are usual.
    static let readingPrograms = [
        "date", "git", "secret-tool", "security", "sysctl", "uname", "which",
    ]
    /// The words between two values.
    static let infixWords = names("and as by downTo else in instanceof is or shl step to until")
    /// The words for what is outside of a module, and the members of these that are only variables.
    static let outside = names("parent rootDir rootProject")
    static let variables = names("ext extra findProperty hasProperty name property")
    /// The variables whose members are dependencies.
    static let catalogs = names("libs projects")
    /// The endings of the names of dependencies.
    static let dependencyEndings = [
        "mplementation", "AnnotationProcessor", "Api", "CompileOnly", "RuntimeOnly",
    ]
    /// The blocks whose blocks have names of the project's own.
    static let namedBlocks = names(
        "buildTypes configurations productFlavors signingConfigs sourceSets")
    /// The directories that have no resources and no manifest of source.
    static let outputDirectories = names(
        "apk assets build buildDir buildDirectory dist docs hooks jniLibs libs outputs reports temporaryDir"
    )
    /// The names of source sets that are read where they stand in `sourceSets`.
    static let setNames = names("manifest res setRoot srcFile")
    /// The names of a module's script that are read.
    static let moduleNames = setNames.union(
        names(
            """
            addManifestPlaceholders applicationId applicationIdSuffix getManifestPlaceholders ignore
            initWith manifestPlaceholders resValue setApplicationId setApplicationIdSuffix
            setIgnore setManifestPlaceholders
            """))
    /// The names of what writes files, starts programs or takes something away, also if it is only assigned, or called with nothing.
    static let writing = names(
        """
        ant append bufferedWriter bytes clear commandLine copyTo createNewFile delete deleteDir
        deleteOnExit deleteRecursively destinationDir executable execute into invoke javaexec
        newDataOutputStream newInstance newObjectOutputStream newOutputStream newPrintWriter
        newWriter outputStream printWriter start text todir write writeText writer
        """)
    /// The methods that make a task or another thing of a type.
    static let makers = names("create creating maybeCreate register registering replace task")
    static let extensionMaker = [Array("extensions".utf8), Array("create".utf8)]
}

/// The names of some lines.
private func names(_ lines: String) -> Set<[UInt8]> {
    Set(lines.utf8.split { $0 == 0x20 || $0 == 0x0A }.map { Array($0) })
}

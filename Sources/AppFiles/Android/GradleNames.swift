/// The names of Gradle's language, by what is known of them.
enum GradleNames {
    /// The names of methods, properties and types of Gradle, of Android's and usual plugins, of Groovy and of Kotlin that are known to
    /// leave alone what ships: they build, test, sign, publish or compute. None of them writes a file, starts a program,
    /// changes a task, or takes a variant away by itself, in any place.
    static let harmless = names(
        """
        aaptOptions abiFilters Action add addAll addBuildListener addTestListener afterEvaluate
        afterProject afterSuite alias all allDevices allOf allow allowDependency allowUrl
        allprojects also android androidMain androidReports androidResources androidRuntimeClasspath
        androidTestCompile androidTestUtil androidVariant annotatedBy annotationProcessor Any any
        api apiVersion apollo appendLine application ApplicationBuildType apply
        applyDefaultHierarchyTemplate applyNativeModulesAppBuildGradle
        applyNativeModulesSettingsGradle arg args argument arguments arrayOf Arrays artifact
        artifactType assertEquals assertTrue associate associateBy associateWith
        associateWithNotNull attribute authentication autolinkLibrariesFromCommand Base64 BaseFlavor
        baseline baselineProfile basePath basic BasicAuthentication because beforeProject
        beforeResolve beforeTask beforeVariants Boolean BuildAdapter BuildConfigField
        buildConfigField buildConfigFieldStr buildConfigNullableField buildFeatures buildFinished
        BuildService buildString buildToolsVersion buildTypes builtins bundle ByteArray
        ByteArrayOutputStream cacheChangingModulesFor cacheDynamicVersionsFor Calendar cFlags
        Character Charsets check checkNotNull Checkstyle classes classpath clean Closure
        coerceAtMost collect collectEntries Collection Collections CommandLineArgumentProvider
        commonMain commonTest compilations compile compileOnly compileOptions
        compilerArgumentProviders compilerFor compilerOptions compileSdk compileSdkVersion compose
        ComposeFeatureFlag concat Confidence config configFile configuration configure configureEach
        connectToAndroidSourceSet constraints consumerProguardFiles contains containsKey
        contentEquals convention coordinates Copy coreLibraryDesugaring coroutines count cppFlags
        create createVariant creating credentials crunchPngs current currentTimeMillis
        customDirectory customRibbon customRuleSets cyclonedxBom Date DateTimeFormatter debug
        debugSymbolLevel decode DefaultArgumentInterop defaultConfig DefaultTask Delete dependencies
        Dependency dependency DependencyReportTask dependencyResolutionManagement
        DependencyResolveDetails dependencySubstitution dependsOn description desktop desktopMain
        destination Detekt detekt detektPlugins DevServer dexOptions dialect digest dimension dir
        directory dirs disable disabled distinctBy DocumentBuilderFactory doLast doNotStrip Double
        drop dropWhile Duration each eachDependency eachDirRecurse eachFile eachLine eachPlugin
        eachWithIndex eclipseWtp editorConfigOverride Effort embedBitcode emptyList enable Enabled
        enableFeaturePreview enableLanguageFeature encoding endsWith enforcedPlatform EnumInterop
        environment environmentVariable equals equalsIgnoreCase error escapeJava evaluationDependsOn
        events every exceptionFormat exclude excludeCategories excludeGroup excludes excludeTags
        Exec execution exists export expression ext externalNativeBuild extra fatal File file files
        fileTree filter filterIsInstance filterKeys filterNot filterValues finalizedBy find
        FirebasePerformance first firstOrNull flatMap flatten flavorDimensions Float FlowInterop
        fold force forEach forEachIndexed format forScope framework freeCompilerArgs from fromTarget
        FunctionInterop generatedDensities get getenv getting google googleJavaFormat
        gradleLocalProperties gradleProperty group groupBy has HashSet id ignoreAssetsPattern
        ignoreDependencies ignoreFrom include includeBuild includeCategories includeDependency
        includeEngines includeGroup includeGroupAndSubgroups includeGroupByRegex includeModule
        includeTags includeVersion includeVersionByRegex info informational inheritedFrom Inject
        inject Input installOptions Instant Int intArrayOf Integer IntrinsicRemember iosMain item
        Iterable ivy JacocoReport java JavaLanguageVersion javaMaxHeapSize JavaVersion jniLibs join
        joinTo joinToString js JsonOutput JsonSlurper Jvm jvm jvmArgs jvmMain JvmTarget jvmTarget
        jvmToolchain JvmVendorSpec kapt kaptAndroidTest kaptTest keepDebugSymbols keepRules keyAlias
        keyPassword kotlin KotlinClosure2 KotlinCommonCompilerOptions kotlinCompilerExtensionVersion
        kotlinOptions KotlinPlatformType KotlinVersion KotlinWebpackConfig kover ksp kspAndroid
        kspAndroidTest kspDesktop kspTest ktfmt ktlint ktlintRuleset languages languageVersion last
        let library licenseHeader licenseHeaderFile lifecycle link LinkedHashMap linkerOpts Lint
        lint lintChecks lintConfig List listFiles listOf listOfNotNull listProperty load LocalDate
        LocalDateTime localDevices Locale localeFilters Long main ManagedVirtualDevice Map map
        mapKeys mapNotNull mapOf mapScalar mapScalarToUpload mapTo mapValues matchEntire Matcher
        matcher matches matching Math maven MavenArtifactRepository max maxByOrNull maxOf
        maybeCreate merge merges mergeWith MessageDigest min minByOrNull minifyEnabled
        MinimalExternalModuleDependency minOf minSdk minSdkVersion missingDimensionStrategy module
        modules mustRunAfter mutableListOf mutableMapOf mutableSetOf name named namespace ndkPath
        ndkVersion noCompress none notCompatibleWithConfigurationCache now Object Objects of
        ofPattern ofSourceSet onFailure onlyIf onVariants OperatingSystem operationManifestFormat
        OptimizeNonSkippingGroups OptIn optIn option Optional orElse orElseThrow Os os
        outputDirectory packageName packageNamesFromFilePaths packages packaging Pair parse
        partition password path Paths PathSensitive Pattern PausableComposition pickFirst pickFirsts
        platform Plugin plugin PluginDependency pluginManagement plugins plus Pmd pmd pod
        predictiveTestSelection prefer prettyPrint print printf println ProductFlavor proguard
        proguardFile proguardFiles Project project projectsEvaluated Properties property protoPath
        provided Provider provider ProviderFactory prune put putAll randomUUID ratchetFrom read
        reader readLine recoverCatching redirectOutput reduce Regex register registerIfAbsent
        registering reject relativeTo release remote remoteUrl removeDefaultExclude removePrefix
        rename repeat replace replaceAll replaceFirst replaceFirstChar report reportBlocking
        reporter ReportMergeTask repositories require requireNotNull resConfig resConfigs resolve
        resources respondsTo reversed rgb room run Runtime runtimeOnly safeExtGet sarifReport
        schemaDirectory SealedInterop sequenceOf service Set set severity shrinkResources sign
        signingConfig SimpleDateFormat single sort sortedBy sortedDescending source
        sourceCompatibility sourceSets split spotbugsPlugins srcDir srcDirs startsWith storeFile
        storePassword strictly String StringBuffer StringBuilder StringEscapeUtils StringWriter
        stripDebugSymbols strippedNativeLibsDir StrongSkipping subprojects substitute substring
        substringAfter substringAfterLast substringBefore substringBeforeLast sumOf Suppress
        SuspendInterop Sync synchronized System systemProperty tag take takeIf takeUnless takeWhile
        target targetCompatibility targetExclude TargetFormat targetFormats targetProjectPath
        targets targetSdk targetSdkVersion tarTree Task task TaskProvider Test testApplicationId
        testBuildType testCompile testFixtures testInstrumentationRunner
        testInstrumentationRunnerArguments TestListener testLogging testNamespace testOptions
        testProguardFile testProguardFiles testRetry the Throwable TimeZone titlecase to TODO
        tokenize toolVersion trim trimEnd trimStart type Unit unitTests universalApk unix
        unstrippedNativeLibsDir until update upToDateWhen URI uri URL url use useInMemoryPgpKeys
        useJUnit useJUnitPlatform useLegacyPackaging useLibrary useModule userData username
        useTarget useVersion using UUID value valueOf variant VariantDimension version versionCode
        VersionConstraint versionFor versionName versionNameSuffix waitFor warn warnInBox warning
        wasmJs wearApp whenObjectAdded whenPluginAdded whenReady whenTaskAdded with withBuildType
        withDefault withFlavor withId withPlugin withStream withType workingDir wrapper XmlSlurper
        Zip zip zipTree ZonedDateTime ZoneId
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
    /// The programs that change no files of a project, with arguments as they are usual, and the commands of Git that only read.
    static let readingPrograms = ["date", "secret-tool", "security", "sysctl", "uname", "which"]
    static let readingCommands = [
        "branch", "describe", "diff", "log", "ls-files", "ls-remote", "name-rev",
        "remote",
        "rev-list", "rev-parse", "show", "show-ref", "status", "symbolic-ref", "tag",
    ]
    /// The words between two values.
    static let infixWords = names("and as by downTo else in instanceof is or shl step to until")
    /// The words for what is outside of a module, and the members of these that are only variables.
    static let outside = modules.union(names("getParentFile parentFile rootDir taskGraph"))
    static let modules = projects.union(
        names("afterProject beforeProject findProject projectsEvaluated projectsLoaded"))
    static let variables = names("ext extra findProperty hasProperty name property")
    /// The words for other projects, and the methods that get one by its path.
    static let projects = names(
        """
        allprojects childProjects dependencyProject getAllprojects getChildProjects getParent
        getRootProject getSubprojects parent rootProject subprojects
        """)
    static let finders = names("findProject project")
    /// Those of them that are many, and the members of these that give none of them.
    static let collections = names(
        "allprojects childProjects getAllprojects getChildProjects getSubprojects subprojects")
    static let reads = names("any count isEmpty none size")
    /// The members of a project that give files.
    static let files = names(
        "buildDir buildDirectory file files fileTree layout projectDir rootDir")
    /// The members of a project that give it, or what it can be set up by.
    static let giving = names(
        """
        also android androidComponents apply components configurations extensions getExtensions
        getPluginManager getPlugins getTasks gradle let pluginManager plugins run takeIf tasks with
        """)
    /// The words with which a plugin of settings includes modules and moves them.
    static let including = names("include includeBuild includeFlat setProjectDir")
    /// The variables whose members are dependencies.
    static let catalogs = names("libs projects")
    /// The endings of names of dependencies, and of types that read or only are.
    static let endings = [
        "mplementation", "AnnotationProcessor", "Api", "CompileOnly", "Error", "Exception",
        "Extension", "InputStream", "Reader", "RuntimeOnly",
    ]
    /// The beginnings of names of methods that only answer, before another word.
    static let beginnings = ["find", "get", "has", "if", "index", "is", "last", "parse", "to"]
    /// The blocks whose blocks have names of the project's own.
    static let namedBlocks = names(
        "buildTypes configurations databases productFlavors signingConfigs sourceSets sqldelight")
    /// The directories that have no resources and no manifest of source.
    static let outputDirectories = names(
        "apk artifacts assets build dist docs hooks jniLibs libs outputs reports"
    )
    static let sourceDirectories = names("intermediates main release res src")
    /// The words of a path to such a directory.
    static let outputWords = names(
        """
        asFile buildDir buildDirectory dir file File files get layout listOf new project projectDir
        projectDirectory rootDir rootProject setOf temporaryDir
        """)
    static let outputVariables = names("buildDir buildDirectory temporaryDir")
    static let outputTexts = outputDirectories.union(outputVariables)
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
        << actions ant append appendBytes appendText bufferedWriter bytes clear commandLine copy copyRecursively
        copyTo createNewFile delete deleteDir deleteOnExit deleteRecursively destinationDir exec
        executable execute into invoke javaexec newDataOutputStream newInstance
        newObjectOutputStream newOutputStream newPrintWriter newWriter outputStream printWriter
        remove removeFirst removeLast renameTo start text todir transform withOutputStream
        withPrintWriter withWriter withWriterAppend write writeBytes writeText writer
        """)
    /// The methods that make a task or another thing of a type.
    static let makers = names("create creating maybeCreate register registering replace task")
    /// Words for the parameters of aapt2, of which one renames the package, and for tasks that are there.
    static let aaptParameters = names("aaptAdditionalParameters additionalParameters")
    static let tasks = names("allTasks taskGraph tasks whenTaskAdded")
    /// The objects that the readers of scripts know by their properties, and the methods that get a property by its name.
    static let objects = names("buildTypes defaultConfig productFlavors sourceSets")
    static let getters = names("findProperty get getAt getProperty property")
    /// The properties and methods that switch a task off.
    static let switches = names("enabled isEnabled setEnabled")
    /// The names by which the script of a module can change another one.
    static let reaching =
        writing.union(moduleNames).union(switches).union(outside).union(finders)
    static let extensionMaker = [Array("extensions".utf8), Array("create".utf8)]
}

/// The names of some lines.
private func names(_ lines: String) -> Set<[UInt8]> {
    Set(lines.utf8.split { $0 == 0x20 || $0 == 0x0A }.map { Array($0) })
}

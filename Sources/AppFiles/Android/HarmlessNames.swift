/// The names of methods, properties and types of Gradle, of Android's and usual plugins, of Groovy and of Kotlin that are known to
/// leave alone what ships: they build, test, sign, publish or compute. None of them writes a file, starts a program,
/// changes a task, or takes a variant away by itself, in any place.
let harmlessNames = Set(
    """
    aaptOptions abi abiFilters abortOnError aboutLibraries Action activateDependencyLocking add
    addAll additionalSourceDirsForSourceContext addTestListener afterEvaluate afterProject
    afterSuite afterTest aggregation aidl alias all allDevices allOf allow allowDependency
    allowInsecureProtocol allowUrl allprojects allRules allWarningsAsErrors also android
    androidComponents AndroidComponentsExtension AndroidLintTask androidMain androidResources
    androidTarget androidTestCompile androidTestUtil animationsDisabled annotatedBy
    annotationProcessor annotationProcessorOptions Any any api apiLevel ApkVariantOutputImpl apollo
    ApolloExtension AppExtension appId application ApplicationAndroidComponentsExtension
    ApplicationBuildType ApplicationExtension ApplicationProductFlavor ApplicationVariant
    applicationVariants apply applyDefaultHierarchyTemplate applyNativeModulesAppBuildGradle
    applyNativeModulesSettingsGradle AppPlugin archivesBaseName archivesName arg args arguments
    ArrayList arrayOf artifact artifactName artifactPath artifactType asProvider asSequence assets
    associate associateBy associateWith attachGradleScanId authentication authToken autoCorrect
    autoInstallation autolinkLibrariesFromCommand autolinkLibrariesWithApp
    automaticGenerationDuringBuild autoUploadNativeSymbols autoUploadProguardMapping
    autoUploadSourceContext availableProcessors base BaseAppModuleExtension BaseExtension BaseFlavor
    baseline baselineProfile baseName basePath BasePlugin BaseVariantOutputImpl basic
    BasicAuthentication because beforeProject beforeSuite beforeTask beforeVariants Boolean browser
    bufferedReader buildCache buildConfig buildConfigField buildDir buildFeatures buildFinished
    buildScan buildscript BuildService buildToolsVersion BuildType buildTypes buildUponDefaultConfig
    builtins bundle bundleCommand bundleID ByteArrayOutputStream cacheChangingModulesFor
    cacheDynamicVersionsFor call canRead capabilities capitalize capitalized category cFlags Char
    check checkAllWarnings checkDependencies checkGeneratedSources checkNotNull checkReleaseBuilds
    Checkstyle checkstyle checkTestSources classes Classpath classpath clean cliFile Closure cmake
    codegenDir coerceAtLeast coerceAtMost collect CommonExtension commonMain compile compileOnly
    compileOptions compilerArgs compilerOptions compileSdk compileSdkExtension compileSdkMinor
    compileSdkPreview compileSdkVersion compose composeCompiler ComposeCompilerGradlePluginExtension
    composeOptions compressionLevel concat condition config configFile ConfigurableFileCollection
    configuration configurations configure configureEach constraints consumerProguardFiles contains
    containsKey content contentEquals convention Copy copy coreLibraryDesugaring
    coreLibraryDesugaringEnabled correctErrorTypes count cppFlags CrashlyticsExtension
    CrashlyticsPlugin create creating credentials cruncherEnabled crunchPngs current
    currentTimeMillis customPrefix customRuleSets dataBinding Date debug debuggable
    debuggableVariants debugSymbolLevel decapitalize defaultConfig DefaultTask Delete density
    dependencies dependenciesInfo Dependency dependencyAnalysis dependencyGuard DependencyHandler
    DependencyHandlerScope dependencyLocking dependencyResolutionManagement DependencyResolveDetails
    dependencySubstitution DependencyUpdatesTask dependsOn description destination Detekt detekt
    DetektCreateBaselineTask DetektExtension detektPlugins develocity device deviceFilters devices
    dex dexLayoutOptimization dexOptions digest dimension dir directories Directory directory
    DirectoryProperty directoryProperty dirs disable disabledRules disallowChanges displayName
    distinct distinctBy distributionType doFirst doLast doNotStrip downloadJavadoc downloadSources
    drop dropLast dropWhile duplicatesStrategy each eachDependency eachFile eachLine eachPlugin
    eachWithIndex easylauncher editorConfigOverride effort emptyArray emptyList emptyMap emptySet
    enable enableAggregatingTask enableAndroidTest enableAndroidTestCoverage enabled
    enableExperimentalRules enableFeaturePreview enablePlugins enableSplit enableStricterValidation
    enableUnitTest enableUnitTestCoverage enableV1Signing enableV2Signing enableV3Signing
    enableV4Signing endsWith endWithNewline enforcedPlatform entries entryFile environment
    environmentVariable equals equalsIgnoreCase Error error errorOutput evaluationDependsOn events
    every Exception exceptionFormat exclude excludeGroup excludes excludeTags exclusiveContent Exec
    exec execution exists exitValue experimentalProperties expression ext ExtensionAware extensions
    ExternalModuleDependency externalNativeBuild externalProcessName extra ExtraPropertiesExtension
    failOnPassedAfterRetry failOnWarning features File file FileInputStream fileMode FilenameFilter
    FileNotFoundException filePermissions fileProperty files fileTree filter filterIsInstance
    filterKeys filterNot filterNotNull filters filterValues finalizedBy finalizeDsl finalizeValue
    find findAll findBundle findByName findByPath findByType findLibrary findPlugin findProject
    findProperty findVersion firebaseAppDistribution firebaseCrashlytics first firstOrNull fladle
    flatDir flatMap flatten flavorDimensions flutter fold force forEach forEachIndexed forkEvery
    format formats forRepository freeCompilerArgs from fromTarget GenerateBuildConfig generateKotlin
    generateLocaleConfig generateProtoTasks get getAbsoluteFile getAbsolutePath getAsText getAt
    getAttribute getBuildDirectory getBuiltArtifactsLoader getByName getByType
    getDefaultProguardFile getDependencies getElementsByTagName getenv getExtensions getFilter
    getGradle getInstance getIsDefault getLayout getOrDefault getOrElse getOrNull getOrThrow
    getParentFile getPath getPluginManager getPlugins getProperties getProperty getRootProject
    getRuntime getStandardOutput getStartParameter getString getTaskRequests getTasks getText
    getting google googleJavaFormat gradle GradleException gradlePlugin gradlePluginPortal
    gradleProperty GradleScriptException gradleVersion greendao group groupBy groupId groups has
    HashMap HashSet hasPlugin hasProperty hermesCommand hilt host hostname htmlOutput htmlReport
    HttpBuildCache id idea ifBlank ifEmpty ignoreAssetsPattern ignoreCase ignoredBuildTypes
    ignoredFlavors ignoreExitValue ignoreFailures ignoreKtx ignoreWarnings IllegalArgumentException
    IllegalStateException implementationClass include includeAndroidResources includeBuild
    includeDependenciesReport includeEngines includeGroup includeGroupAndSubgroups
    includeGroupByRegex includeInApk includeInBundle includeModule includeNativeSources
    includeNoLocationClasses includeProguardMapping includeSourceContext includeTags includeVersion
    includeVersionByRegex info infoPlist Inject Input InputDirectory InputFile InputFiles
    inputStream instrumentationEnabled Int intArrayOf intdiv Integer Internal introspection iosArm64
    iosSimulatorArm64 iosX64 ipAddresses isAllowInsecureProtocol isAllowUntrustedServer isBlank
    isCompatibleWith isContinueOnFailure isCoreLibraryDesugaringEnabled isCrunchPngs isDebuggable
    isDefault isDirectory isEmpty isEnable isEnabled isFile isFork isIncludeAndroidResources
    isIncremental isJniDebuggable isLinux isLowerCase isMacOsX isMinifyEnabled isNotBlank isNotEmpty
    isNullOrBlank isNullOrEmpty isPreserve isPseudoLocalesEnabled isPush isReturnDefaultValues
    isShrinkResources isStatic issues isTransitive isUniversalApk isWindows item ivy jacoco
    JacocoPlugin JacocoPluginExtension JacocoReport JacocoTaskExtension java JavaBasePlugin
    JavaCompile javaCompileOptions javaCompiler javaParameters JavaPluginExtension JavaVersion
    jcenter jniDebuggable jniLibs join joinTo joinToString js JsonSlurper jvm jvmArgs jvmTarget
    jvmToolchain kapt kaptAndroidTest kaptTest keepDebugSymbols keepRules keyAlias keyPassword keys
    kotlin KotlinAndroidProjectExtension KotlinBasePlugin KotlinClosure2 KotlinCommonCompilerOptions
    KotlinCompilationTask KotlinCompile kotlinCompilerExtensionVersion KotlinJvmCompile
    KotlinJvmCompilerOptions KotlinJvmOptions KotlinJvmProjectExtension KotlinMultiplatformExtension
    kotlinOptions kotlinScriptAdditionalPaths KotlinTopLevelExtension kover KoverProjectExtension
    ksp kspAndroidTest KspExtension kspTest ktlint KtLintCheckTask KtlintExtension KtLintFormatTask
    ktlintRuleset label language languages languageSettings languageVersion last lastModified
    lastOrNull lazy length let library LibraryAndroidComponentsExtension LibraryExtension
    LibraryPlugin libraryVariants libs licensee LicenseeExtension licenseHeaderFile licenseReport
    lifecycle LinkedHashMap lint lintCheck lintChecks lintConfig lintFormat lintOptions List
    listFiles listOf ListProperty listProperty load local localDevices localeFilters localResultsDir
    lockAllConfigurations logcat Long lowercase lowercaseChar main mainClass major managedDevices
    ManagedVirtualDevice Map map mapKeys mapNotNull mapOf mappingFileUploadEnabled MapProperty
    mapProperty mapScalar mapTo mapValues matchEntire Matcher matcher matches matching
    matchingFallbacks maven MavenArtifactRepository mavenCentral mavenContent mavenLocal mavenPom
    max maxFailures maxHeapSize maxOf maxParallelForks maxRetries maybeCreate mergeIntoMain merges
    metadataSources metricsDestination min minHeapSize minifyEnabled MinimalExternalModuleDependency
    minOf minor minSdk minSdkVersion missingDimensionStrategy mkdir mkdirs mlModelBinding module
    multiDexEnabled mustRunAfter MutableList mutableListOf MutableMap mutableMapOf mutableSetOf name
    named nativeSymbolUploadEnabled ndk ndkBuild ndkPath ndkVersion newDataInputStream
    newDocumentBuilder noCompress noLines none not notCompatibleWithConfigurationCache obfuscate
    obfuscation Object ObjectFactory objects of onIncorrectConfiguration onlyAnalyze onlyIf
    onRedundantPlugins onUnusedAnnotationProcessors onUnusedDependencies
    onUsedTransitiveDependencies onVariants optimization optimizationLevel optimizeCode optIn option
    Optional optional options orElse orEmpty org OutputDirectory outputDirectory OutputFile
    outputFileName packageName packages packaging packagingOptions Pair parallel parameters parse
    parseInt parseText partition password path PathSensitive PathSensitivity Pattern pattern
    patternLayout pickFirst pickFirsts platform play Plugin plugin pluginManagement PluginManager
    pluginManager plugins plus Pmd postprocessing prebuiltToolchains preDexLibs prefab
    preferProjectModules prefix preserveFileTimestamps prettier print printf println ProductFlavor
    productFlavors profile proguard proguardFile proguardFiles Project project ProjectDependency
    projectDir projectName projectsEvaluated Properties properties Property property proto protobuf
    protoc provided Provider provider ProviderFactory providers pseudoLocalesEnabled publicApikey
    publishing put putAll react reactNativeDir ReactSettingsExtension read reader readLines readText
    redirectError redirectOutput reduce Regex register registerIfAbsent registering RegularFile
    RegularFileProperty rejectVersionIf relativeTo release releaseNotes releaseNotesFile
    releasesOnly remote removePrefix removeSuffix removeUnusedCode removeUnusedEntriesAfterDays
    removeUnusedImports removeUnusedResources rename renderScript renderscriptSupportModeEnabled
    replace replaceAll replaceFirst replaceFirstChar report reporter reporters ReportingExtension
    reportLevel reports reportsDestination repositories repositoriesMode reproducibleFileOrder
    require required requireNotNull resConfig resConfigs reset resolutionStrategy resolve
    resolveStrategy resourceConfigurations resourcePrefix resources resValues retrofit retry
    returnDefaultValues reversed room RoomExtension ruleSetFiles ruleSets run runCatching
    RuntimeException runtimeOnly safeExtGet sarifReport saveInSrc schemaDirectory schemaVersion
    screenshotTests selector sentry service serviceAccountCredentials serviceAccountEmail
    serviceCredentialsFile Set set setDependsOn setExtendsFrom setFilters setForcedModules setFrom
    setOf setProguardFiles setSource setTimeOut setUrl severity shaders shardTime shouldRunAfter
    showAll showCauses showExceptions showOnlyFailingTestsInReports showProgress showStackTraces
    showStandardStreams shrinkResources signingConfig signingConfigs SimpleDateFormat single
    singleOrNull size snapshotsOnly sonar sonarqube sort sorted sortedBy sortedDescending source
    sourceCompatibility sources sourceSets split splits spotbugs spotbugsPlugins spotless
    SpotlessExtension SpotlessTask srcDir srcDirs standardOutput start startsWith
    StopActionException storeFile storePassword storeType strictly String StringBuffer StringBuilder
    StringWriter stripIndent strippedNativeLibsDir structure subprojects substitute substring
    substringAfter substringAfterLast substringBefore substringBeforeLast sumOf Suppress
    suppressWarnings Sync synchronized systemImageSource systemImageSources systemProperties
    systemProperty tag take takeIf takeUnless takeWhile target targetCompatibility targetExclude
    targetProjectPath targets targetSdk targetSdkVersion Task task TaskContainer TaskProvider tasks
    telemetry termsOfUseAgree termsOfUseUrl Test testApplicationId testBuildType testCompile
    testCoverageEnabled TestDescriptor testedAbi TestedExtension TestExtension testFixtures
    testInstrumentationRunner testInstrumentationRunnerArguments TestListener testLogging
    testNamespace testOptions testProguardFile testProguardFiles TestResult testRetry testTargets
    testVariants textReport the Throwable titlecase to toBoolean toBooleanStrict toByte toDouble
    toFile toFloat toInt toInteger toIntOrNull tokenize toList toLong toLowerCase toMap
    toMutableList toMutableMap toolchain toolVersion toRegex toSet toString toTypedArray toUpperCase
    toVersion tracingInstrumentation track transitive trim trimEnd trimIndent trimMargin trimStart
    trimTrailingWhitespace Triple type Unit UnitTest unitTests universalApk
    UnknownDomainObjectException unstrippedNativeLibsDir until uploadInBackground
    uploadNativeSymbols uppercase uppercaseChar uppercaseFirstChar upToDateWhen URI uri URL url use
    useBuildCache useComposer useConnectedDevices useExpoModules useExpoVersionCatalog useJUnit
    useJUnitPlatform useKotlinOutput useLegacyPackaging useLibrary useModule user userFraction
    username useSupportLibrary useTarget useVersion using v1SigningEnabled v2SigningEnabled
    validatePlugins value valueOf values Variant VariantDimension variantFilter VariantOutputImpl
    vectorDrawables verbose version VersionCatalog versionCatalogs VersionCatalogsExtension
    versionCatalogUpdate versionCode versionCodeOverride versionName versionNameOverride
    versionNameSuffix viewBinding warn warningsAsErrors wasmJs wearApp whenObjectAdded whenReady
    whenTaskAdded with withBuildType withDefault withFlavor withId withInputStream withPlugin
    withReader withType workingDir wrapper xmlOutput xmlReport XmlSlurper Zip zip
    """.utf8.split { $0 == 0x20 || $0 == 0x0A }.map { Array($0) })

extension UnknownNameReader {
    /// A block that is open.
    struct Block {
        /// Whether the blocks in it have names of the project's own, as in `productFlavors`.
        var isOfNames = false
        /// Whether the names that are assigned in it are variables: `ext`.
        var isOfVariables = false
        var isOfSets = false
        var isOfTasks = false
        var isOutside = false
        /// Whether it gets another project, as that of `subprojects.each { }` does, and that of `rootProject.file("a").withReader { }` does not.
        var isOfProject = false
        /// Whether something gets its value: `val a by lazy { }`.
        var isKept = false
        /// Whether what is called in it are the names of configurations: `dependencies`.
        var isOfDependencies = false
        /// Whether it is within such a block, or one that puts projects in the place of modules.
        var isInDependencies = false
        /// Whether it is of the plugins of a build: `pluginManagement`.
        var isOfPlugins = false
        /// Whether what is defined in it are members of a type.
        var isOfType = false
        /// Whether it makes a text: `buildString`.
        var isOfString = false
    }

    /// Whether something gets what stands here.
    var isKept: Bool { assigns || open.last?.isKept == true }
    var isOfDependencies: Bool { open.last?.isInDependencies == true }
    var isOfPlugins: Bool { open.last?.isOfPlugins == true }
    var isInString: Bool { open.last?.isOfString == true }
    var isInSets: Bool { namesSets || open.last?.isOfSets == true }
    var isOutside: Bool { namesOutside || isInOutside }
    private var isInOutside: Bool { open.last?.isOutside == true }
    var isInProject: Bool { open.last?.isOfProject == true }
}

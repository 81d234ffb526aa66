/// The script of the console. Nothing needs it.
enum ConsoleScript {
    static let text: StaticString = """
        "use strict";

        """
}

private import ArgumentParser
private import Commands

@main
enum Waymark {
    static func main() { WaymarkCommand.start() }
}

import ArgumentParser
import Files
import Origin
import Services
import SiteConfiguration
import Sockets

struct RenewCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Order a renewal of the running origin, or a first certificate at once.",
        discussion: "The origin does it within seconds, and its log says how it went.")

    @Argument(help: "The host.") var host: String
    @Flag(help: "Renew also what is younger than a day; authorities limit how often that is done.")
    var force = false
    @OptionGroup var options: StateOptions

    func run() throws {
        let environment = try options.source.load()
        let found = try options.find(host, in: environment)
        let name = found.name
        let directory = options.directory.current
        let status = directory.statuses(of: environment).first { $0.host == name }
        if !force, let begin = status?.notBefore, begin > Clock.unixSeconds - 86_400 {
            printMessage(
                "waymark: error: the certificate of \(name) is younger than a day; renew it with "
                    + "--force")
            throw ExitCode.no
        }
        do throws(FileError) {
            try directory.orderRenewal(of: name)
        } catch {
            printMessage(
                "waymark: error: the order cannot be written: \(error); run this as the origin's "
                    + "user, with its --state")
            throw error == .noPermission ? ExitCode.noPermission : ExitCode.inputMissing
        }
        let faults = directory.faults(of: [found])
        guard faults.isEmpty else {
            for fault in faults { printMessage(fault.diagnostic) }
            printMessage("waymark: error: the order is kept until it can be carried out")
            throw ExitCode.no
        }
        guard !options.warnOfOtherOrigin(environment.name) else {
            printMessage(
                "waymark: error: the order is kept until an origin runs that carries it out")
            throw ExitCode.no
        }
        try printOutput(
            .lines([
                directory.isAttended
                    ? "ordered; the log of the origin says how it went"
                    : "ordered; no origin runs with this directory, so the next one does it"
            ]))
    }
}

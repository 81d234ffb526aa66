private import Diagnostics

package import HTTPClient

extension HostReport {
    /// The fault for which a request came to no answer on the way from the host's name to the end
    /// of the handshake; nil if the reason is another one.
    package static func fault(of exchange: ClientExchange) -> LiveFinding? {
        let request = exchange.request
        var survey = HostSurvey(
            host: request.host, port: request.port,
            addresses: .set([exchange.address].compactMap(\.self)))
        survey.answers = [HostSurvey.AddressAnswers(apple: exchange, android: nil)]
        if let failure = exchange.failure, failure.phase == .resolve {
            return LiveFinding(
                .error, .hostNotFound, "\(request.host) has no address", evidence: failure.text)
        }
        let judge = Judge(survey: survey, expected: nil, now: 0)
        return judge.hopsOfConnection(exchange).flatMap(\.findings).first {
            $0.severity == .error || $0.rule == .familyUnchecked
        }
    }

    /// The fault of an answer for an association file, of which its reader can make nothing, or not all; nil if there is none.
    /// A file that lists no app is right.
    package static func fault(ofFile exchange: ClientExchange) -> LiveFinding? {
        let request = exchange.request
        let survey = HostSurvey(
            host: request.host, port: request.port,
            addresses: .set([exchange.address].compactMap(\.self)))
        let isApple = request.target == Surveyor.applePath
        return Judge(survey: survey, expected: nil, now: 0)
            .fileFindings(exchange, isApple ? .apple : .android).first {
                $0.severity == .error && $0.rule != .noLinks
            }
    }
}

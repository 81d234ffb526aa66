@testable import Console
@testable import LinkAPI
import LinkStore

extension TestConsole {
    /// Does an import as its thread does.
    func imported(_ request: APIRequest, _ secret: String) -> APIResponse {
        let options: LinkImport
        switch api.admit(request, store, at: now * 1000, localSecret: secret) {
        case .failure(let response): return response
        case .success(let admitted):
            guard case .import(let found) = admitted.transfer else { return .noOperation }
            options = found
        }
        var (reader, lines, isCut) = (ImportReader(options), [ImportedLine](), false)
        reader.add(request.content)
        while let line = reader.next(isEnd: true) {
            if line.endsImport { (lines, isCut) = ([], true) }
            lines.append(options.read(line, at: now))
        }
        let rehearsal = options.isRehearsal ? ImportRehearsal() : nil
        var (left, content, summary) = (lines[...], [UInt8](), ImportSummary())
        repeat {
            let applied = api.apply(left, of: options, store, at: now * 1000, rehearsal) {
                !endsTransactionsSoon
            }
            switch applied {
            case .failure(let response): return response
            case .success(let outcomes):
                summary.count(outcomes)
                content += options.report(outcomes)
                left = left.dropFirst(outcomes.count)
            }
        } while !left.isEmpty
        content += summary.line(isApplied: !options.isRehearsal, isComplete: !isCut)
        var response = APIResponse(isCut ? 422 : 200)
        (response.type, response.content) = ("application/x-ndjson", content)
        return response
    }
}

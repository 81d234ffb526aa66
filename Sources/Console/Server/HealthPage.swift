private import Diagnostics
private import JSONSyntax
private import Markup

/// The state of the store and of the nodes that share it.
struct HealthPage {
    let request: ConsoleRequest
    let api: ConsoleAPI

    var response: ConsoleResponse {
        let answer = api.ask("GET", ["nodes"])
        guard answer.isSuccess || answer.status == 503 else {
            return Console.refusal(answer, of: request)
        }
        return ServerPage(request: request, tab: .health).response { page in
            page.raw("<section>\n")
            page.element("h2", .theStore)
            guard answer.isSuccess, let json = answer.json else {
                page.raw("<p>")
                page.health(.unreachable, isWell: false)
                page.raw("</p>\n")
                page.element("p", .storeUnavailableLead)
                return page.raw("</section>\n")
            }
            let nodes = json["nodes"]?.elements ?? []
            page.raw("<p>")
            page.health(.reachable, isWell: true)
            page.raw("</p>\n")
            page.element("p", nodes.isEmpty ? .storeIsFile : .storeIsShared)
            page.raw("</section>\n")
            guard !nodes.isEmpty else { return }
            writeNodes(nodes, json, &page)
        }
    }

    private func writeNodes(_ nodes: [JSONValue], _ fleet: JSONValue, _ page: inout PageWriter) {
        page.element("h2", .nodes)
        if (fleet["configurations"]?.count ?? 1) > 1 {
            page.raw("<div class=\"warnings\" role=\"status\">")
            page.element("p", .configurationsDiffer)
            page.raw("</div>\n")
        }
        page.raw("<table class=\"links\">\n<thead><tr>")
        for text in [ConsoleText.node, .state, .version, .behind, .clockOffset, .lastSeen] {
            page.heading(text)
        }
        page.raw("</tr></thead>\n<tbody>\n")
        for node in nodes.prefix(500) {
            page.raw("<tr><th scope=\"row\">")
            page.value(node["name"]?.text ?? "")
            page.raw("</th><td>")
            let isUp = node["isUp"]?.boolean == true
            page.health(isUp ? .reachable : .unreachable, isWell: isUp)
            page.raw("</td><td>")
            page.value(node["version"]?.text ?? "")
            page.raw("</td>")
            page.cell(node["behind"]?.count ?? 0)
            page.raw("<td class=\"number\">")
            page.value("\(node["clockOffsetMilliseconds"]?.written.compact ?? "0") ms")
            page.raw("</td><td class=\"quiet\">")
            page.value(page.moment(node["seen"]?.text))
            page.raw("</td></tr>\n")
        }
        page.raw("</tbody></table>\n")
    }
}

extension PageWriter {
    mutating func health(_ text: ConsoleText, isWell: Bool) {
        raw(isWell ? "<span class=\"state live\">" : "<span class=\"state unwell\">")
        words(text)
        raw("</span>")
    }
}

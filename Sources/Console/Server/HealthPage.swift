private import Markup

/// The state of the server: each part with the time at which it was seen. It is read from what the parts have said
/// last, so nobody waits for a part that does not answer.
struct HealthPage {
    let request: ConsoleRequest
    let api: ConsoleAPI

    var response: ConsoleResponse {
        guard request.person.isAdmin, let health = api.health() else {
            return request.notice(.notAllowed)
        }
        return ServerPage(request: request, tab: .health).response { page in
            writeSummary(health, &page)
            section(.certificates, &page) {
                CertificateTable(health: health, now: request.now).write(&$0)
            }
            section(.reloads, &page) { ReloadTable(health: health).write(&$0) }
            section(.store, &page) { writeStore(health.store, &$0) }
            if let fleet = health.fleet { section(.nodes, &page) { writeNodes(fleet, &$0) } }
            section(.checks, &page) { CheckTable(hosts: health.hosts, now: request.now).write(&$0) }
            section(.files, &page) { writeFiles(health, &$0) }
            section(.findings, &page) { writeFindings(health.findings, &$0) }
        }
    }

    /// All parts in a few lines, each with the way to it.
    private func writeSummary(_ health: ServerHealth, _ page: inout PageWriter) {
        page.raw("<section>\n")
        page.element("h2", .inShort)
        page.raw("<dl>\n")
        for part in HealthPart.allCases {
            guard let grade = health.grade(of: part, at: request.now) else { continue }
            page.raw("<dt>")
            page.field(part.rawValue, part.text)
            page.raw("</dt><dd>")
            page.grade(grade)
            page.raw("</dd>\n")
        }
        page.raw("</dl>\n")
        page.hint(.healthLead, ["time": page.moment(seconds: request.now)])
        page.raw("</section>\n")
    }

    private func section(
        _ part: HealthPart, _ page: inout PageWriter, _ content: (inout PageWriter) -> Void
    ) {
        page.write("<section id=\"\(part.rawValue)\">\n")
        page.element("h2", part.text)
        content(&page)
        page.raw("</section>\n")
    }

    // MARK: The store

    private func writeStore(_ store: StoreHealth?, _ page: inout PageWriter) {
        guard let store else { return page.hint(.noStore) }
        page.raw("<p>")
        page.grade(store.grade(at: request.now))
        page.raw("</p>\n")
        switch store.state {
        case .opening: page.element("p", .storeOpening)
        case .open: break
        case .closed(let reason): page.reason(.storeClosed, reason)
        case .failed(let reason): page.reason(.storeFailed, reason)
        }
        page.element("p", store.isShared ? .storeIsShared : .storeIsFile)
        page.raw("<dl>\n")
        page.fact(.place, store.place)
        if let software = store.software { page.fact(.software, software) }
        if let links = store.links { page.fact(.shortNames, page.numeral(links)) }
        if let bytes = store.bytes {
            let most = store.bytesMax.map { page.size($0) }
            page.fact(.memoryOfLinks, page.size(bytes) + (most.map { " / \($0)" } ?? ""))
        }
        page.raw("</dl>\n")
        page.seen(store.seen, oldAfter: StoreHealth.ageMax, now: request.now)
    }

    private func writeNodes(_ fleet: FleetHealth, _ page: inout PageWriter) {
        if fleet.configurations > 1 { page.remark { $0.element("p", .configurationsDiffer) } }
        page.table(
            .nodes,
            [
                .text(.node), .text(.state), .text(.version), .text(.configuration),
                .text(.behind), .text(.clockOffset), .text(.lastSeen),
            ]
        ) { page in
            for node in fleet.nodes.prefix(Self.nodesMax) { write(node, &page) }
        }
        page.more(fleet.nodes.count - Self.nodesMax)
        page.seen(fleet.seen, oldAfter: FleetHealth.ageMax, now: request.now)
    }

    private func write(_ node: FleetHealth.Node, _ page: inout PageWriter) {
        page.write("<tr><th scope=\"row\">\(node.name)")
        if node.isOwn { page.write(" <span class=\"quiet\">\(.thisServer)</span>") }
        page.raw("</th>")
        page.cellStart(.state)
        page.health(node.isUp ? .reachable : .unreachable, isWell: node.isUp)
        page.raw("</td>")
        page.cell(.version, node.version)
        page.cell(
            .configuration, String(decoding: node.configuration.utf8.prefix(12), as: UTF8.self))
        page.cell(.behind, page.numeral(node.behind))
        page.cell(.clockOffset, "\(node.clockOffsetMilliseconds) ms")
        page.cell(.lastSeen, page.moment(seconds: node.seen))
        page.raw("</tr>\n")
    }

    private static let nodesMax = 200

    // MARK: Files for apps

    private func writeFiles(_ health: ServerHealth, _ page: inout PageWriter) {
        guard !health.published.isEmpty else { return page.hint(.noCollection) }
        page.element("p", .publishedLead)
        page.table(
            .publishedFiles,
            [.text(.hosts), .text(.collections), .text(.appleFile), .text(.androidFile)]
        ) { page in
            for site in health.published.prefix(Self.sitesMax) { write(site, &page) }
        }
        page.more(health.published.count - Self.sitesMax)
        page.seen(health.servedSince, oldAfter: nil, now: request.now, .servedFrom)
    }

    private func write(_ site: PublishedHealth, _ page: inout PageWriter) {
        page.write("<tr><th scope=\"row\">\(site.hosts.joined(separator: ", "))</th>")
        page.cell(.collections, site.collections.joined(separator: ", "))
        for (text, file) in [(ConsoleText.appleFile, site.apple), (.androidFile, site.android)] {
            page.cellStart(text, isProse: true)
            if let file { write(file, &page) } else { page.words(.notPublished) }
            page.raw("</td>")
        }
        page.raw("</tr>\n")
    }

    private static let sitesMax = 100
    private static let appsMax = 8

    private func write(_ file: PublishedHealth.File, _ page: inout PageWriter) {
        let names = file.apps.prefix(Self.appsMax).joined(separator: ", ")
        page.value(names.isEmpty ? page.filled(.noApp) : names)
        if file.apps.count > Self.appsMax { page.value(" + \(file.apps.count - Self.appsMax)") }
        page.value(" (\(page.size(file.bytes)))")
    }

    // MARK: Findings

    private func writeFindings(_ health: FindingsHealth, _ page: inout PageWriter) {
        switch health {
        case .underway: page.hint(.findingsUnderway)
        case .otherFile(let seen):
            page.element("p", .findingsOfOther)
            page.seen(seen, oldAfter: nil, now: request.now)
        case .noMemory(let seen):
            page.element("p", .findingsLackMemory)
            page.seen(seen, oldAfter: nil, now: request.now)
        case .found(let findings, let seen):
            if findings.isEmpty {
                page.element("p", .noFindings)
            } else {
                page.findings(findings, .lintFindings)
            }
            page.seen(seen, oldAfter: nil, now: request.now)
        }
    }
}

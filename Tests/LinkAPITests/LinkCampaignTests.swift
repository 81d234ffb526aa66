import LinkStore
import Testing
import URISyntax

@testable import LinkAPI

@Suite("The campaign of a link")
struct LinkCampaignTests {
    @Test(arguments: [
        "", "?", "https://e.example/", "https://e.example/?a=1",
        "https://e.example/?utm_campaign=1",
        "https://e.example/?a=1&utm_campaign=b%20c&utm_campaign=2#f",
        "https://e.example/#?utm_campaign=1",
        "?utm_campaign", "?utm_campaign=", "?utm_campaign=a+b", "?utm%5Fcampaign=1",
        "?utm%5fc%61mpaign%3D=1&utm_campaign=2", "?utm_campaigns=1&utm_campaig=2&&utm_campaign=3",
        "?UTM_CAMPAIGN=1", "?=1&utm_campaign=4", "?utm_campaign=a=b", "?utm+campaign=1",
        "?utm_campaign=%FF", "?utm_campaign=1?utm_campaign=2", "?&", "?utm_campaign=1&",
    ])
    func `it is that of the first item of the query with its name`(_ destination: String) throws {
        let id = try #require(LinkID([UInt8](repeating: 1, count: 16)))
        let link = LinkFacts(
            number: 1, id: id, collection: "short", tags: "", destination: destination,
            generation: 1)
        let all = queryItems(query(of: destination))
        #expect(link.campaign == all.first { $0.name == "utm_campaign" }?.value)
    }
}

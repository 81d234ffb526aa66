/// The properties that items of a type need to be shown in search results, and other properties
/// that are shown (Google, "Structured data"; Apple, WWDC 2015 session 709).
struct SchemaType: Sendable {
    let names: Set<String>
    /// Paths; of a list of several one is enough.
    let required: [[String]]
    let recommended: [[String]]

    init(_ names: Set<String>, required: [[String]], recommended: [[String]]) {
        self.names = names
        self.required = required
        self.recommended = recommended
    }

    /// The row for this type, or nil.
    static func named(_ name: String) -> SchemaType? { all.first { $0.names.contains(name) } }

    private static let all = [
        SchemaType(
            ["SoftwareApplication", "MobileApplication", "WebApplication", "VideoGame"],
            // Search results show an app only with price and rating, but a page that only names its
            // app needs neither.
            required: [["name"]],
            recommended: [
                ["offers.price"], ["aggregateRating", "review"], ["applicationCategory"],
                ["operatingSystem"],
            ]),
        SchemaType(
            businesses, required: [["name"], ["address"]],
            recommended: [
                ["telephone"], ["geo"], ["url"], ["image"], ["openingHoursSpecification"],
                ["priceRange"],
            ]),
        SchemaType(
            eateries, required: [["name"], ["address"]],
            recommended: [
                ["telephone"], ["geo"], ["url"], ["image"], ["openingHoursSpecification"],
                ["priceRange"], ["servesCuisine"], ["menu", "hasMenu"],
            ]),
        SchemaType(
            ["VideoObject"], required: [["name"], ["thumbnailUrl"], ["uploadDate"]],
            recommended: [["contentUrl", "embedUrl"], ["duration"], ["description"]]),
        SchemaType(
            ["AudioObject"], required: [["contentUrl", "embedUrl"]], recommended: [["name"]]),
        SchemaType(["BreadcrumbList"], required: [["itemListElement"]], recommended: []),
        SchemaType(
            ["Organization", "Corporation", "NGO"], required: [],
            recommended: [["name"], ["url"], ["logo"]]),
        SchemaType(["WebSite"], required: [["name"], ["url"]], recommended: []),
        SchemaType(
            ["Product"], required: [["name"], ["offers", "review", "aggregateRating"]],
            recommended: [["image"], ["description"]]),
        SchemaType(
            ["Event"], required: [["name"], ["startDate"], ["location"]],
            recommended: [["endDate"], ["image"], ["description"]]),
        SchemaType(
            ["Recipe"], required: [["name"], ["image"]],
            recommended: [["recipeIngredient"], ["recipeInstructions"], ["totalTime"]]),
    ]

    private static let businesses: Set = [
        "LocalBusiness", "Store", "Hotel", "LodgingBusiness", "Dentist", "Physician", "Pharmacy",
        "AutoDealer", "AutoRepair", "BeautySalon", "HairSalon", "HealthClub", "RealEstateAgent",
        "TravelAgency", "ProfessionalService", "MedicalBusiness", "FinancialService",
        "EntertainmentBusiness", "SportsActivityLocation", "ShoppingCenter", "GasStation",
        "Library",
    ]
    private static let eateries: Set = [
        "Restaurant", "FoodEstablishment", "CafeOrCoffeeShop", "BarOrPub", "Bakery",
        "FastFoodRestaurant", "IceCreamShop", "Brewery", "Winery",
    ]
}

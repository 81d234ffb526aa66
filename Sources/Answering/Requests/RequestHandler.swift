/// Answers requests on threads of its own: those of the admin listener, of hosts that no site has,
/// and of paths of sites that begin with its prefix. A loop calls it and goes on with other
/// connections, so neither function may wait.
package protocol RequestHandler: Sendable {
    /// What the paths of sites begin with that may be the handler's; nil for none.
    var sitePrefix: String? { get }
    /// How a request is handled; nil leaves it to the origin, which answers it as if there were no
    /// handler.
    func route(_ head: HandledHead) -> HandledRoute?
}

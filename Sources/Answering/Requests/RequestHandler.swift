/// Answers requests on threads of its own: those of the admin listener, of hosts that no site has,
/// and of paths of sites that begin with its prefix. A loop calls it and goes on with other
/// connections, so neither function may wait.
package protocol RequestHandler: Sendable {
    /// The beginning of those paths of sites that may be the handler's; nil for none.
    var sitePrefix: String? { get }
    /// The route of a request; nil leaves it to the origin, which answers it as if there were no
    /// handler.
    func route(_ head: HandledHead) -> HandledRoute?
}

import Answering
import HTTPMessages
import LinkAPI
import LinkStore
import Memory
import SharedStore
import Sockets
import Synchronization

/// An export, page after page. Nothing of it waits: the store's thread reads a page when the client
/// has taken enough of the one before, so that a slow client has a page in memory and nothing else.
final class ExportFlow: Sendable {
    private let service: LinkService
    private let api: LinkAPI
    private let admitted: AdmittedRequest
    private let export: LinkExport
    private let place: TokenPlaces.Place
    /// Of the answer, besides its own.
    private let fields: [String]
    private let progress = Mutex(Progress())

    private struct Progress {
        /// The last link that was looked at.
        var last: LinkID?
        var isBegun = false
        /// Whether a page is being made, or there is none any more.
        var isBusy = false
        /// The memory of a page, as long as there is one.
        var room: WorkMemory.Claim?
    }

    /// A part of the answer, as the store's thread reads it.
    private struct Page {
        /// The reason for which there is no export.
        var refusal: APIResponse?
        /// The fields of the answer, with its first page.
        var fields = [String]()
        var links = [StoredLink]()
        var last: LinkID?
    }

    init(
        _ service: LinkService, _ api: LinkAPI, _ admitted: AdmittedRequest,
        _ export: LinkExport, _ place: TokenPlaces.Place, fields: [String] = []
    ) {
        (self.service, self.api, self.admitted) = (service, api, admitted)
        (self.export, self.place, self.fields) = (export, place, fields)
    }

    /// The request has begun, or there is room for another page.
    @Sendable func advance(_ request: HandledRequest) {
        guard !request.isCancelled else { return }
        let (begins, last) = progress.withLock { progress in
            defer { progress.isBusy = true }
            return (!progress.isBusy, progress.last)
        }
        guard begins else { return }
        // A client that takes its time may have the rest only while its token is one.
        let refusal = api.refusalMeanwhile(
            of: admitted, service.tokens.value, at: service.clock.milliseconds)
        if let refusal { return fail(request, refusal) }
        let isTaken = service.submit { [self] store in
            guard !request.isCancelled else { return {} }
            guard hasRoom else {
                return { [self] in
                    fail(request, api.busy(service.noMemory("an export"), for: admitted.request))
                }
            }
            let page: Result<Page, StoreError> = store.flatMap { store in
                Result { () throws(StoreError) in
                    try self.page(of: store, after: last, isHead: request.head.method.isHead)
                }
            }
            return { [self] in write(page, request) }
        }
        if !isTaken { fail(request, .busy(LinkService.busy)) }
    }

    /// Whether there is memory for a page; that of the first one is for all of them.
    private var hasRoom: Bool {
        progress.withLock { progress in
            progress.room = progress.room ?? service.memory.claimShare(isForList: true)
            return progress.room != nil
        }
    }

    /// - Parameter last: the last link that was looked at; nil for the first page.
    private func page(
        of store: LinkStore, after last: LinkID?, isHead: Bool
    ) throws(StoreError) -> Page {
        var page = Page()
        if last == nil {
            page.refusal = export.refusal(store)
            page.fields = try export.fields(store) + fields
        }
        if !isHead, page.refusal == nil {
            (page.links, page.last) = try export.links(
                after: last, store, at: service.clock.milliseconds)
        }
        return page
    }

    /// On the store's thread, which does not write lines.
    private func write(_ page: Result<Page, StoreError>, _ request: HandledRequest) {
        switch page {
        case .failure(let error): fail(request, .unavailable(error.words.fact))
        case .success(let page):
            if let refusal = page.refusal { return fail(request, refusal) }
            if request.head.method.isHead {
                request.begin(.ok, page.fields)
                return request.finish()
            }
            let isTaken = service.sideWork.submit(for: admitted.token) { [self] in
                give(page, request)
            }
            if !isTaken { fail(request, .busy(service.busy(service.sideWork))) }
        }
    }

    private func give(_ page: Page, _ request: HandledRequest) {
        guard !request.isCancelled else { return }
        var content = export.content(of: page.links)
        let isFirst = progress.withLock { progress in
            defer {
                (progress.last, progress.isBegun) = (page.last, true)
                progress.isBusy = page.last == nil
            }
            return !progress.isBegun
        }
        if isFirst {
            request.begin(.ok, page.fields)
            content = export.beginning + content
        }
        // Whoever has the end finds the place free, unless a long piece is still to be taken.
        if page.last == nil, content.count <= Self.shortBytesMax { place.giveBack() }
        // Without room, `advance` is called when there is.
        let hasRoom = request.write(content)
        if page.last == nil {
            request.finish()
        } else if hasRoom {
            advance(request)
        }
    }

    private static let shortBytesMax = 16_384

    /// A part of the links would pass for all of them.
    private func fail(_ request: HandledRequest, _ response: APIResponse) {
        let isBegun = progress.withLock { $0.isBegun }
        if isBegun { request.abort() } else { request.answer(response) }
    }
}

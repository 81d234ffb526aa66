package import Metrics

/// Every metric of an origin. Alert rules and dashboards are held against it by a test.
package enum MetricCatalogue {
    static let build = MetricFamily(
        "waymark_build_info", .gauge, "Always 1; the versions that this process runs with.",
        labels: ["version", "swift", "openssl"])
    static let configuration = MetricFamily(
        "waymark_config_info", .gauge,
        "Always 1; the served configuration, by environment and hash.",
        labels: ["env", "hash"])
    static let generation = MetricFamily(
        "waymark_config_generation", .gauge,
        "The number of configurations that this process has served, including the first.")
    static let reloadSuccessful = MetricFamily(
        "waymark_config_last_reload_successful", .gauge,
        "1 if the configuration that was last read is served, 0 if it was refused.")
    static let reloadTime = MetricFamily(
        "waymark_config_last_reload_success_timestamp_seconds", .gauge,
        "When the served configuration was loaded.")
    static let siteCurrent = MetricFamily(
        "waymark_site_current", .gauge,
        "Of several sites: 1 for a site that is served as it is configured; 0 for one that has "
            + "errors, and is served as before or not at all.",
        labels: ["site"])
    static let ready = MetricFamily(
        "waymark_ready", .gauge,
        "1 while requests are accepted; 0 after an order to stop, while no host has a usable "
            + "certificate, or while stored links cannot be answered, unless `store-essential` is "
            + "`false`."
    )
    static let requests = MetricFamily(
        "waymark_http_requests_total", .counter,
        "Responses, by route, method and status.",
        labels: ["route", "method", "code"])
    static let durations = MetricFamily(
        "waymark_http_request_duration_seconds", .histogram,
        "From a request's first byte until its response was ready, or a long response was sent.",
        labels: ["route"])
    static let sizes = MetricFamily(
        "waymark_http_response_size_bytes", .histogram, "The content of responses, as it was sent.",
        labels: ["route"])
    static let inFlight = MetricFamily(
        "waymark_http_requests_in_flight", .gauge,
        "Requests whose content, or whose response, is being transferred.")
    static let aborted = MetricFamily(
        "waymark_http_responses_aborted_total", .counter,
        "Responses that were aborted, because the connection ended before they were complete, by "
            + "reason.",
        labels: ["reason"])
    static let connections = MetricFamily(
        "waymark_connections", .gauge,
        "Open connections, by state, without those of the admin listener.",
        labels: ["state"])
    static let accepted = MetricFamily(
        "waymark_connections_total", .counter, "Connections accepted, by listener.",
        labels: ["listener"])
    static let rejected = MetricFamily(
        "waymark_connections_rejected_total", .counter,
        "Connections that were closed at once, by reason.",
        labels: ["reason"])
    static let adminClosed = MetricFamily(
        "waymark_admin_connections_closed_total", .counter,
        "Connections to the admin listener that were closed to make room for another.")
    static let limited = MetricFamily(
        "waymark_ratelimited_total", .counter,
        "Requests refused with 503 or 429, by the limit on connections that was reached.",
        labels: ["limit"])
    static let timeouts = MetricFamily(
        "waymark_connection_timeouts_total", .counter,
        "Connections that timed out, by state.", labels: ["state"])
    static let connectionsLimit = MetricFamily(
        "waymark_connections_limit", .gauge,
        "The limit on open connections, without those of the admin listener.")
    static let addressLimit = MetricFamily(
        "waymark_address_connections_limit", .gauge,
        "The limit on open connections of one IPv4 address or IPv6 network.")
    static let handshakes = MetricFamily(
        "waymark_tls_handshakes_total", .counter, "Completed handshakes.",
        labels: ["version", "resumed"])
    static let handshakeErrors = MetricFamily(
        "waymark_tls_handshake_errors_total", .counter, "Failed handshakes, by reason.",
        labels: ["reason"])
    static let usable = MetricFamily(
        "waymark_tls_host_usable", .gauge,
        "1 while a host has a usable certificate, 0 while no client can connect to it.",
        labels: ["host"])
    static let expiry = MetricFamily(
        "waymark_tls_certificate_not_after_timestamp_seconds", .gauge,
        "When the certificate of a host expires.",
        labels: ["host"])
    static let certificateFaults = MetricFamily(
        "waymark_tls_certificate_faults", .gauge,
        "Certificates in the configuration that cannot be used, and 1 more while automatic ones cannot be "
            + "requested or recorded; the log has the reasons.")
    static let renewal = MetricFamily(
        "waymark_acme_renewal_timestamp_seconds", .gauge,
        "When the automatic certificate of a host is renewed.", labels: ["host"])
    static let renewalFailures = MetricFamily(
        "waymark_acme_failures", .gauge,
        "Attempts to get an automatic certificate that have failed since the last that has succeeded.",
        labels: ["host"])
    static let renewalAuthority = MetricFamily(
        "waymark_acme_certificate_info", .gauge,
        "1 for the automatic certificate of a host, with the directory of the authority that has "
            + "issued it.", labels: ["host", "authority"])
    static let renewalAttempts = MetricFamily(
        "waymark_acme_attempts_total", .counter,
        "Attempts to get an automatic certificate, by their result.", labels: ["result"])
    static let checkBroken = MetricFamily(
        "waymark_check_broken", .gauge,
        "1 if links do not open the app there, or cannot be opened; nothing where it could not be "
            + "asked.", labels: ["host"])
    static let checkFindings = MetricFamily(
        "waymark_check_findings", .gauge, "1 for each fault that was found.",
        labels: ["host", "hop", "rule", "severity"])
    static let checkTime = MetricFamily(
        "waymark_check_timestamp_seconds", .gauge, "When a host was checked.", labels: ["host"])
    static let checkNext = MetricFamily(
        "waymark_check_next_timestamp_seconds", .gauge, "When a host is checked again.",
        labels: ["host"])
    static let associations = MetricFamily(
        "waymark_association_requests_total", .counter,
        "Responses to requests for association files, by file, fetcher and status.",
        labels: ["file", "fetcher", "code"])
    static let associationFailures = MetricFamily(
        "waymark_association_failures_total", .counter,
        "Of these, responses other than the file, a part of it, or 304.",
        labels: ["file", "fetcher"])
    static let links = MetricFamily(
        "waymark_link_outcomes_total", .counter,
        "Responses to links, by outcome and platform.",
        labels: ["outcome", "platform"])
    static let linkRequests = MetricFamily(
        "waymark_link_requests_total", .counter,
        "Responses by link, outcome, and client: people or programs. The site is empty unless there "
            + "are several.",
        labels: ["site", "link", "outcome", "client"])
    static let siteRequests = MetricFamily(
        "waymark_site_requests_total", .counter,
        "Of several sites: responses by site and the class of their status.",
        labels: ["site", "code"])
    static let storeUsable = MetricFamily(
        "waymark_store_usable", .gauge,
        "1 while the store of links can be read and written, 0 while it cannot; the log has the "
            + "reason.")
    static let storeGeneration = MetricFamily(
        "waymark_store_generation", .gauge, "The generation of the stored links that are answered.")
    static let storeLag = MetricFamily(
        "waymark_store_lag_seconds", .gauge,
        "Of a store that nodes share: the time since the database has said what others have changed."
    )
    static let storeNodes = MetricFamily(
        "waymark_store_nodes", .gauge,
        "Of a store that nodes share: the nodes that are there, as this one has seen them last.")
    static let storeConfigurations = MetricFamily(
        "waymark_store_config_hashes", .gauge,
        "Of a store that nodes share: the number of different configurations of these nodes.")
    static let storeSynchronous = MetricFamily(
        "waymark_store_synchronous", .gauge,
        "Of a store that nodes share: 1 if a change is acknowledged when a standby has it, too; 0 if a "
            + "failover can lose it.")
    static let storeNotified = MetricFamily(
        "waymark_store_notified", .gauge,
        "Of a store that nodes share: 1 if this node is notified of what others change, 0 if it only asks "
            + "once a second. It is there when another node has changed something.")
    static let storeClockOffset = MetricFamily(
        "waymark_store_clock_offset_seconds", .gauge,
        "Of a store that nodes share: the time by which the clock of this node is ahead of the "
            + "database's.")
    static let visits = MetricFamily(
        "waymark_visits_total", .counter,
        "Requests for stored links, by what they are counted as.", labels: ["class"])
    static let guesses = MetricFamily(
        "waymark_guesses_total", .counter,
        "Requests for stored links that do not exist, by networks that have asked for too many.")
    static let withoutScheme = MetricFamily(
        "waymark_proxy_without_scheme_total", .counter,
        "Requests over http that a proxy forwarded without saying, or without being believed, that "
            + "the client came by https.")
    static let droppedVisits = MetricFamily(
        "waymark_visits_dropped_total", .counter,
        "Counts of visits that were dropped, because there was no room for them.")
    static let dropped = MetricFamily(
        "waymark_log_dropped_total", .counter,
        "Lines of the access log that were dropped.")
    static let droppedEvents = MetricFamily(
        "waymark_events_dropped_total", .counter,
        "Events that could not be written to standard error in time.")
    static let logQueue = MetricFamily(
        "waymark_log_queue_bytes", .gauge,
        "Bytes of the access log that wait to be written, in the fullest of the loops' queues.")
    static let logQueueLimit = MetricFamily(
        "waymark_log_queue_limit_bytes", .gauge,
        "The size of one of these queues; lines beyond it are dropped.")

    static let processor = MetricFamily(
        "process_cpu_seconds_total", .counter, "Processor time, user and system.")
    static let resident = MetricFamily("process_resident_memory_bytes", .gauge, "Resident memory.")
    static let virtual = MetricFamily("process_virtual_memory_bytes", .gauge, "Virtual memory.")
    static let descriptors = MetricFamily("process_open_fds", .gauge, "Open file descriptors.")
    static let descriptorsMax = MetricFamily(
        "process_max_fds", .gauge, "The limit on open file descriptors.")
    static let start = MetricFamily(
        "process_start_time_seconds", .gauge, "When the process started.")

    /// In the order in which they are written.
    package static let all = [
        build, configuration, generation, reloadSuccessful, reloadTime,
        siteCurrent, ready, requests, durations,
        sizes, inFlight, aborted, connections, accepted, rejected, adminClosed, limited,
        timeouts,
        connectionsLimit, addressLimit, handshakes, handshakeErrors, usable, expiry,
        certificateFaults, renewal, renewalFailures, renewalAuthority, renewalAttempts,
        checkBroken, checkFindings, checkTime, checkNext, associations,
        associationFailures, links, linkRequests, siteRequests,
        storeUsable, storeGeneration, storeLag, storeNodes, storeConfigurations, storeSynchronous,
        storeNotified, storeClockOffset, visits, guesses, withoutScheme, droppedVisits,
        dropped, droppedEvents,
        logQueue, logQueueLimit, processor,
        resident, virtual,
        descriptors, descriptorsMax, start,
    ]
}

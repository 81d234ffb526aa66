package import Metrics

/// Every metric of an origin. Alert rules and dashboards are held against it by a test.
package enum MetricCatalogue {
    static let build = MetricFamily(
        "waymark_build_info", .gauge, "Always 1; the versions that this process runs with.",
        labels: ["version", "swift", "openssl"])
    static let configuration = MetricFamily(
        "waymark_config_info", .gauge, "Always 1; what is served, by environment and hash.",
        labels: ["env", "hash"])
    static let generation = MetricFamily(
        "waymark_config_generation", .gauge,
        "How many configurations this process has served, the first included.")
    static let reloadSuccessful = MetricFamily(
        "waymark_config_last_reload_successful", .gauge,
        "1 when what was last read is what is served, 0 when it was refused.")
    static let reloadTime = MetricFamily(
        "waymark_config_last_reload_success_timestamp_seconds", .gauge,
        "When what is served was taken over.")
    static let ready = MetricFamily(
        "waymark_ready", .gauge,
        "1 while requests are wanted; 0 once told to stop, or while no host has a certificate."
    )
    static let requests = MetricFamily(
        "waymark_http_requests_total", .counter,
        "Answers, by the part of the site that was asked for, method and status.",
        labels: ["route", "method", "code"])
    static let durations = MetricFamily(
        "waymark_http_request_duration_seconds", .histogram,
        "From a request's first byte until its answer was ready, or a long one taken.",
        labels: ["route"])
    static let sizes = MetricFamily(
        "waymark_http_response_size_bytes", .histogram, "The content of answers, as it was sent.",
        labels: ["route"])
    static let inFlight = MetricFamily(
        "waymark_http_requests_in_flight", .gauge,
        "Requests whose content, or whose answer's, is under way.")
    static let aborted = MetricFamily(
        "waymark_http_responses_aborted_total", .counter,
        "Answers that were not taken whole, as the connection ended before, by reason.",
        labels: ["reason"])
    static let connections = MetricFamily(
        "waymark_connections", .gauge,
        "Open connections, by what they wait for, those to the admin listener left out.",
        labels: ["state"])
    static let accepted = MetricFamily(
        "waymark_connections_total", .counter, "Connections accepted, by listener.",
        labels: ["listener"])
    static let rejected = MetricFamily(
        "waymark_connections_rejected_total", .counter, "Connections given up at once, by reason.",
        labels: ["reason"])
    static let adminClosed = MetricFamily(
        "waymark_admin_connections_closed_total", .counter,
        "Connections to the admin listener that were closed to make room for another one.")
    static let limited = MetricFamily(
        "waymark_ratelimited_total", .counter,
        "Requests refused with 503 or 429, by the limit of connections that was reached.",
        labels: ["limit"])
    static let timeouts = MetricFamily(
        "waymark_connection_timeouts_total", .counter,
        "Connections whose time was over, by what they waited for.", labels: ["state"])
    static let connectionsLimit = MetricFamily(
        "waymark_connections_limit", .gauge,
        "How many connections may be open, those of the admin listener left out.")
    static let addressLimit = MetricFamily(
        "waymark_address_connections_limit", .gauge,
        "How many of them one IPv4 address, or one network of IPv6, may have.")
    static let handshakes = MetricFamily(
        "waymark_tls_handshakes_total", .counter, "Handshakes that came to their end.",
        labels: ["version", "resumed"])
    static let handshakeErrors = MetricFamily(
        "waymark_tls_handshake_errors_total", .counter, "Handshakes that did not, by reason.",
        labels: ["reason"])
    static let usable = MetricFamily(
        "waymark_tls_host_usable", .gauge,
        "1 while a host is answered with a valid certificate, 0 while no client can connect to it.",
        labels: ["host"])
    static let expiry = MetricFamily(
        "waymark_tls_certificate_not_after_timestamp_seconds", .gauge,
        "When the certificate that a host is answered with expires.",
        labels: ["host"])
    static let certificateFaults = MetricFamily(
        "waymark_tls_certificate_faults", .gauge,
        "Faults of configured certificates that keep them from being used; the log names them.")
    static let associations = MetricFamily(
        "waymark_association_requests_total", .counter,
        "Answers to requests for association files, by file, who fetched it, and status.",
        labels: ["file", "fetcher", "code"])
    static let associationFailures = MetricFamily(
        "waymark_association_failures_total", .counter,
        "Of these, answers that were neither the file, nor a part, nor that it has not changed.",
        labels: ["file", "fetcher"])
    static let links = MetricFamily(
        "waymark_link_outcomes_total", .counter,
        "What visitors of links got on the web, by platform.",
        labels: ["outcome", "platform"])
    static let dropped = MetricFamily(
        "waymark_log_dropped_total", .counter,
        "Lines of the access log that found no room, or no file that took them.")
    static let droppedEvents = MetricFamily(
        "waymark_events_dropped_total", .counter,
        "Events of the log on standard error that nobody took in time.")
    static let logQueue = MetricFamily(
        "waymark_log_queue_bytes", .gauge,
        "Lines of the access log that wait to be written, in the fullest of the loops' queues.")
    static let logQueueLimit = MetricFamily(
        "waymark_log_queue_limit_bytes", .gauge,
        "How much may wait in one of these queues; what is more is dropped.")

    static let processor = MetricFamily(
        "process_cpu_seconds_total", .counter, "Processor time, user and system.")
    static let resident = MetricFamily(
        "process_resident_memory_bytes", .gauge, "Resident memory.")
    static let virtual = MetricFamily("process_virtual_memory_bytes", .gauge, "Virtual memory.")
    static let descriptors = MetricFamily("process_open_fds", .gauge, "Open file descriptors.")
    static let descriptorsMax = MetricFamily(
        "process_max_fds", .gauge, "How many file descriptors may be open.")
    static let start = MetricFamily(
        "process_start_time_seconds", .gauge, "When the process began.")

    /// In the order in which they are written.
    package static let all = [
        build, configuration, generation, reloadSuccessful, reloadTime, ready, requests, durations,
        sizes, inFlight, aborted, connections, accepted, rejected, adminClosed, limited,
        timeouts,
        connectionsLimit, addressLimit, handshakes, handshakeErrors, usable, expiry,
        certificateFaults, associations, associationFailures, links, dropped, droppedEvents,
        logQueue, logQueueLimit, processor,
        resident, virtual,
        descriptors, descriptorsMax, start,
    ]
}

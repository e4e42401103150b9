/// The limits that can refuse a request or connection, by their names in metrics and the log.
enum Limit: String, CaseIterable, Sendable {
  case connections
  case connectionsPerAddress = "connections_per_address"
  case requestsInProgress = "requests_in_progress"
  case bodyMemory = "body_memory"
  case addressRate = "address_rate"
  case walletRate = "wallet_rate"
  case registrationRate = "registration_rate"
  case enrolRate = "enrol_rate"
  case headerBytes = "header_bytes"
  case bodyBytes = "body_bytes"
  case headerTime = "header_time"
  case bodyTime = "body_time"
  case sendingTime = "sending_time"
}

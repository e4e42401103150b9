/// Where status lists are served.
package enum StatusListRoute {
  /// What the path of every list begins with.
  package static let prefix = "/status-lists/"

  package static func path(list id: String) -> String { prefix + id }
}

import CPostgreSQL

/// The hosts of a URL in another order: the server that lost a connection is asked last.
///
/// A primary that was replaced and does not know it still accepts connections, and confirms no
/// commit. It may be the first of the URL.
enum HostOrder {
  /// What libpq is to use instead of the URL's lists; empty if there is one host, or if `host` is
  /// none of them.
  static func parameters(of url: String, last host: String) -> [(String, String)] {
    guard let options = PQconninfoParse(url, nil) else { return [] }
    defer { PQconninfoFree(options) }
    var lists: [(String, String)] = []
    var option = options
    while let keyword = option.pointee.keyword {
      let name = String(cString: keyword)
      if ["host", "hostaddr", "port"].contains(name), let value = option.pointee.val {
        lists.append((name, String(cString: value)))
      }
      option += 1
    }
    let hosts = lists.first { $0.0 == "host" }.map { elements($0.1) } ?? []
    guard hosts.count > 1, let place = hosts.firstIndex(of: host) else { return [] }
    return lists.compactMap { name, list in
      let values = elements(list)
      // A single port is that of all hosts.
      guard values.count == hosts.count else { return nil }
      return (name, (values[(place + 1)...] + values[...place]).joined(separator: ","))
    }
  }

  private static func elements(_ list: String) -> [String] {
    list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
}

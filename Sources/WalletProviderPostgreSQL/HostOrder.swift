import CPostgreSQL

/// The server that a connection leads to, in libpq's words.
struct DatabaseServer: Equatable {
  /// Its name in the URL; if it has none there, its address.
  let host: String
  /// The address that was connected to; empty for a socket of the file system.
  let address: String
  let port: String
}

/// The hosts of a URL in another order: the server that lost a connection is asked last.
///
/// A primary that was replaced and does not know it still accepts connections, and confirms no
/// commit. It may be the first of the URL.
enum HostOrder {
  /// What libpq is to use instead of the URL's lists; empty if there is one host, or if `server` is
  /// none of them.
  static func parameters(of url: String, last server: DatabaseServer) -> [(String, String)] {
    let lists = lists(of: url)
    // With a list of addresses, one of names may be absent or have empty places.
    let count = (lists["hostaddr"] ?? lists["host"])?.count ?? 0
    guard count > 1, let place = place(of: server, among: count, lists) else { return [] }
    return ["host", "hostaddr", "port"].compactMap { name in
      // A single port is that of all hosts.
      guard let values = lists[name], values.count == count else { return nil }
      return (name, (values[(place + 1)...] + values[...place]).joined(separator: ","))
    }
  }

  /// The place of the server in the lists. Several places may have its name: of these it is one with
  /// its port, and of these one with its address. An empty port is libpq's own, and an address may be
  /// written in other ways, so that the first place is taken if none fits better.
  private static func place(
    of server: DatabaseServer, among count: Int, _ lists: [String: [String]]
  ) -> Int? {
    func value(_ name: String, _ place: Int) -> String {
      guard let list = lists[name] else { return "" }
      return list.count == 1 ? list[0] : place < list.count ? list[place] : ""
    }
    var places = (0..<count).filter { place in
      let name = value("host", place)
      return (name.isEmpty ? value("hostaddr", place) : name) == server.host
    }
    for (name, wanted) in [("port", server.port), ("hostaddr", server.address)] {
      let fitting = places.filter { value(name, $0) == wanted }
      let unstated = places.filter { value(name, $0).isEmpty }
      places = !fitting.isEmpty ? fitting : !unstated.isEmpty ? unstated : places
    }
    return places.first
  }

  private static func lists(of url: String) -> [String: [String]] {
    guard let options = PQconninfoParse(url, nil) else { return [:] }
    defer { PQconninfoFree(options) }
    var lists: [String: [String]] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      let name = String(cString: keyword)
      if ["host", "hostaddr", "port"].contains(name), let value = option.pointee.val {
        let text = String(cString: value)
        lists[name] = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      option += 1
    }
    return lists
  }
}

import Foundation
import Synchronization

// Stands between the host and the library in functions of the C interface, which the linker finds
// here first: to have the library say what only a newer one says, and to see what the host reads
// and wipes.

struct Between {
  /// JSON members that are added to completions.
  var more = ""
  /// The JSON of the completions that the host has read.
  var completions: [String] = []
  /// How many events and errors the host has read, and how many it has freed.
  var eventsRead = 0
  var eventsFreed = 0
  var errorsRead = 0
  var errorsFreed = 0
  /// How many errors belonged to an event, which frees them.
  var errorsLent = 0
  /// What was wiped: where it lay, and what it was.
  var wiped: [(address: UInt, bytes: [UInt8])] = []
}

let between = Mutex(Between())

/// The library's function of that name.
private func library<Function>(_ name: String, _ type: Function.Type) -> Function {
  let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT
  return unsafeBitCast(dlsym(next, name), to: type)
}

@_cdecl("wallet_core_event_json")
func tellEvent(_ event: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?)
  -> UnsafePointer<CChar>
{
  typealias Function =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>
  let json = library("wallet_core_event_json", Function.self)(event, length)
  between.withLock { $0.eventsRead += 1 }
  guard String(cString: json).contains(#""kind":"completion""#) else { return json }
  return between.withLock { between in
    let more = between.more.isEmpty ? "}" : "," + between.more + "}"
    let told = String(String(cString: json).dropLast()) + more
    between.completions.append(told)
    // Never freed: the host may read it as long as it has the event.
    return UnsafePointer(strdup(told)!)
  }
}

@_cdecl("wallet_core_event_free")
func freeEvent(_ event: OpaquePointer?) {
  between.withLock { $0.eventsFreed += event == nil ? 0 : 1 }
  typealias Function = @convention(c) (OpaquePointer?) -> Void
  library("wallet_core_event_free", Function.self)(event)
}

@_cdecl("wallet_core_event_error")
func lendError(_ event: OpaquePointer?) -> OpaquePointer? {
  typealias Function = @convention(c) (OpaquePointer?) -> OpaquePointer?
  let error = library("wallet_core_event_error", Function.self)(event)
  between.withLock { $0.errorsLent += error == nil ? 0 : 1 }
  return error
}

@_cdecl("wallet_core_error_message")
func tellError(_ error: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?)
  -> UnsafePointer<CChar>
{
  between.withLock { $0.errorsRead += error == nil ? 0 : 1 }
  typealias Function =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>
  return library("wallet_core_error_message", Function.self)(error, length)
}

@_cdecl("wallet_core_error_free")
func freeError(_ error: OpaquePointer?) {
  between.withLock { $0.errorsFreed += error == nil ? 0 : 1 }
  typealias Function = @convention(c) (OpaquePointer?) -> Void
  library("wallet_core_error_free", Function.self)(error)
}

@_cdecl("wallet_core_memzero")
func wipe(_ start: UnsafeMutableRawPointer?, _ length: Int) {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  between.withLock { $0.wiped.append((UInt(bitPattern: start), bytes)) }
  typealias Function = @convention(c) (UnsafeMutableRawPointer?, Int) -> Void
  library("wallet_core_memzero", Function.self)(start, length)
}

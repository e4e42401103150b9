// The baseline of loading libwallet_core.so: a Swift library that does nothing.
@_cdecl("empty_call")
public func emptyCall() -> Int32 { 1 }

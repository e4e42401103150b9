#!/usr/bin/env bash
exec "$BUILD/hosts/swift/http_check"

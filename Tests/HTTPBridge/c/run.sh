#!/usr/bin/env bash
exec "$BUILD/http-bridge/check_c" "$@"

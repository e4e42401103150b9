#!/usr/bin/env bash
exec "$BUILD/http-bridge/kotlin/check"

#!/usr/bin/env bash
cd "$(dirname "$0")/../../.." || exit
export PYTHONPATH=Sources/Bindings/python:Examples/python:Tests/HTTPBridge/python
exec /usr/bin/python3 -P Tests/HTTPBridge/python/check.py "$@"

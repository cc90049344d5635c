#!/bin/sh
# Installs what the suite compares itself with and drives, where this machine lets it: the npm peers, and Chromium.
# Nothing here is needed to serve. What can not be installed is said in one line, and its tests skip.
cd "$(dirname "$0")/.." || exit 0

if [ ! -d node_modules/handlebars ]; then
  if command -v npm >/dev/null 2>&1; then
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null 2>&1 || echo "npm packages not installed: comparisons with them are skipped"
  else
    echo "no npm here: comparisons with npm packages are skipped"
  fi
fi

if ! command -v chromium >/dev/null 2>&1 && ! command -v chromium-browser >/dev/null 2>&1 && ! command -v google-chrome >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } >/dev/null 2>&1 ||
      echo "Chromium not installed: browser tests are skipped"
  else
    echo "no Chromium here, and no right to install it: browser tests are skipped"
  fi
fi
exit 0

# Writes the owner's settings into the configuration, then replaces itself with nginx.
set -eu

# Succeeds if the first argument is a single line that matches the pattern in the second.
is() {
  [ "$(printf '%s\n' "$1" | wc -l)" -eq 1 ] && printf '%s\n' "$1" | grep -Eq "$2"
}

# The frame's policy names the service's origin.
origin=${CARD_FORM_ORIGIN:-}
if ! is "$origin" '^https://[a-z0-9.-]+(:[0-9]{1,5})?$'; then
  echo 'CARD_FORM_ORIGIN must be the origin of the service as browsers know it, as in https://pay.example.' >&2
  exit 1
fi
echo "set \$card_form_origin $origin;" >/tmp/server.conf

# The canary and the log need the visitor's address, not the proxy's.
proxy=${CARD_FORM_PROXY:-}
if [ -n "$proxy" ]; then
  if ! is "$proxy" '^[0-9a-f.:]+(/[0-9]{1,3})?$'; then
    echo 'CARD_FORM_PROXY must be the address or the network of the proxy, as in 10.0.0.0/8.' >&2
    exit 1
  fi
  echo "set_real_ip_from $proxy; real_ip_header X-Forwarded-For;" >>/tmp/server.conf
fi

# The log goes to the inherited output: an unprivileged user may not be allowed to open /dev/stdout, a pipe that belongs
# to whoever started the container.
rm -f /tmp/access.log
mkfifo -m 600 /tmp/access.log
cat /tmp/access.log &

exec nginx -e stderr -c /etc/card-form/nginx.conf

# A fresh Debian for tests, made with debootstrap and chroot, as root. The check-*
# scripts source this file, after they have defined fail and the folder work. debian_suite selects another
# Debian than 12, and debian_include further packages, separated by commas.
#
# The settings by which this machine reaches the package registries (of apt, pip and Go,
# certificates, proxies) are copied for the time of the run.
# shellcheck shell=bash disable=SC2154

debian_suite=${debian_suite:-bookworm} debian_include=${debian_include:-}
debian_cache=${XDG_CACHE_HOME:-$HOME/.cache}/pacia/debian-$debian_suite${debian_include:+-$debian_include}.tar

# debian_needs fails with a message if something is missing for this.
debian_needs() {
	((EUID == 0)) || fail "needs root, for chroot: sudo make ${0##*/}"
	command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"
}

# The mirror of this machine, if it is a Debian 12.
debian_mirror() {
	# shellcheck disable=SC2016 # apt fills in REPO_URI, not the shell
	apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Created-By: Packages' 2>/dev/null | head -n 1
}

# debian_root ROOT makes a fresh Debian in the folder ROOT. The result of debootstrap
# is kept in the user's cache folder.
debian_root() {
	local fresh=$work/debootstrap url
	if [[ ! -f $debian_cache ]]; then
		mkdir -p "$(dirname "$debian_cache")"
		echo "${0##*/}: debootstrap"
		url=$(debian_mirror) || true
		debootstrap --variant=minbase ${debian_include:+--include="$debian_include"} "$debian_suite" "$fresh" ${url:+"$url"} >"$work/debootstrap.log" 2>&1 ||
			{ tail -n 5 "$work/debootstrap.log" >&2; fail "debootstrap failed"; }
		tar -C "$fresh" --exclude=./var/cache/apt/archives/*.deb -cf "$debian_cache.part" .
		mv "$debian_cache.part" "$debian_cache"
		rm -rf --one-file-system "$fresh"
	fi
	mkdir -p "$1"
	tar -C "$1" -xf "$debian_cache"
}

# debian_settings ROOT copies this machine's settings for the registries into ROOT, and
# the variables among them into $work/environment.
debian_settings() {
	local path
	# shellcheck source=/dev/null
	if [[ $(. /etc/os-release && echo "${VERSION_CODENAME:-}") == bookworm ]]; then
		rm -rf "$1/etc/apt"
		cp -a /etc/apt "$1/etc/apt"
	fi
	for path in /etc/resolv.conf /etc/hosts /etc/pip.conf /usr/local/share/ca-certificates; do
		[[ -e $path ]] || continue
		mkdir -p "$1$(dirname "$path")"
		cp -rL --remove-destination -T "$path" "$1$path"
	done
	# The variables for proxies, certificates, pip, and Go's proxy, without
	# folders of wheels, which are not in the root.
	env | grep -iE '^(https?_proxy|no_proxy|SSL_CERT_[A-Z]+|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|GIT_SSL_CAINFO|PIP_[A-Z_]+)=' |
		grep -v '^PIP_FIND_LINKS=' >"$work/environment" || true
	if command -v go >/dev/null; then
		for path in GOPROXY GOSUMDB GONOSUMDB GOPRIVATE; do
			printf '%s=%s\n' "$path" "$(go env "$path")" >>"$work/environment"
		done
	fi
}

# debian_run ROOT COMMAND… runs a command in ROOT. /proc, /dev, and each SOURCE:TARGET of
# the array debian_mounts are mounted until it ends. Its environment is $work/environment, followed by
# the array debian_environment. The array debian_unshare lists further namespaces: with --net the
# command has no network.
debian_run() {
	local root=$1 environment=()
	shift
	[[ ! -f $work/environment ]] || mapfile -t environment <"$work/environment"
	# shellcheck disable=SC2016 # the inner shell expands these
	unshare --mount --propagation private "${debian_unshare[@]}" bash -c '
		root=$1
		shift
		mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" || exit
		while [[ $1 != -- ]]; do
			mkdir -p "$root/${1#*:}" && mount --bind "${1%%:*}" "$root/${1#*:}" || exit
			shift
		done
		shift
		exec "$@"' run "$root" "${debian_mounts[@]}" -- \
		env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${environment[@]}" "${debian_environment[@]}" \
		chroot "${debian_as[@]}" "$root" "$@" </dev/null
}
debian_mounts=() debian_environment=() debian_as=() debian_unshare=()

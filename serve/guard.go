package serve

import (
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// policy limits the page to its own style sheet, script and drawings.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// guarded passes requests of the server's own page and of programs to next, and refuses all others.
//
// A foreign page in the same browser can attack in two ways. It can send requests from its own
// origin: these carry it in Origin or have cross-site in Sec-Fetch-Site, and are refused,
// even those that change nothing. Or it can point a domain name of its own to this machine
// (DNS rebinding): then Host holds that name, which is not a name of this server. An IP address
// cannot be rebound.
func (s *Server) guarded(next http.Handler) http.Handler {
	unsafe := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cache-Control", "no-store")
		switch {
		case !s.known(r.Host):
			refuse(w, problem{Status: http.StatusMisdirectedRequest, What: "this server is not called " + quote(r.Host), Fix: "call it by its address, or start it with --host and this name"})
		case foreign(r) || unsafe.Check(r) != nil:
			refuse(w, problem{Status: http.StatusForbidden, What: "requests of other pages are refused", Fix: "open this server's own page, or use a program"})
		default:
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime)) // each request has its own deadline
			next.ServeHTTP(w, r)
		}
	})
}

// known reports whether a request's Host is this server: an address, localhost, or one of
// its names.
func (s *Server) known(host string) bool {
	name := host
	if n, _, err := net.SplitHostPort(host); err == nil {
		name = n
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if ip := net.ParseIP(name); ip != nil {
		return ip.IsLoopback() || !s.options.Loopback
	}
	return name == "localhost" || slices.ContainsFunc(s.options.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// foreign reports whether a request comes from another page. Links to the server's page are not foreign.
func foreign(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host && origin != "https://"+r.Host {
		return true
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return r.URL.Path != "/" || r.Method != http.MethodGet || r.Header.Get("Sec-Fetch-Mode") != "navigate"
}

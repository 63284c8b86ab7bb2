package serve

import (
	"bytes"
	"net/http"
	"strings"

	"pacia/screen"
	"pacia/screen/ranking"
)

// report answers with the page of pacia predict --report: the first molecules, a map and a histogram.
func (s *Server) report(w http.ResponseWriter, r *http.Request) error {
	res, _, release, err := s.asked(r)
	if err != nil {
		return err
	}
	defer release()
	if err := s.drawers.enter(r); err != nil {
		return err
	}
	defer s.drawers.free()
	if err := s.memory.reserve(r.Context(), reportBytes, "ask for ranked.csv"); err != nil {
		return err
	}
	defer s.memory.free.Release(reportBytes)
	c := res.ranker.Collect(res.shown)
	err = res.ranker.Spill.Each(func(row ranking.Ranked) error {
		c.Add(row)
		return r.Context().Err()
	})
	if err != nil {
		return err
	}
	page := c.Page()
	page.Made, page.Model, page.Read = res.origin.At, res.origin.Model, res.facts.Findings
	screen.SetTrust(page, *res.facts.Trust, res.facts.Panel)
	page.Settings = [][2]string{{"program", "pacia " + res.origin.Program}}
	for _, given := range res.read.nameValues {
		name, value, _ := strings.Cut(given, "=")
		page.Settings = append(page.Settings, [2]string{name, value})
	}
	var text bytes.Buffer
	if err := page.Write(r.Context(), &text); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Disposition", `inline; filename="report.html"`)
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'")
	_, _ = text.WriteTo(w) // an error means that the client has gone
	return nil
}

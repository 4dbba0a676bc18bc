package profile

import "testing"

// TestDomainLabel uses labels that browsers show for names in use.
func TestDomainLabel(t *testing.T) {
	for in, want := range map[string]string{
		"search": "search", "bücher": "xn--bcher-kva", "日本": "xn--wgv71a", "münchen": "xn--mnchen-3ya", "例え": "xn--r8jz45g", "": "",
	} {
		if got := domainLabel(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

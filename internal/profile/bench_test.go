package profile

import "testing"

// BenchmarkLoadAll reads every client file, as a command that names all
// clients does at its start.
func BenchmarkLoadAll(b *testing.B) {
	for b.Loop() {
		loaded.clients = nil
		All()
	}
}

// BenchmarkPlayFile plays the first tier on one plain skill.
func BenchmarkPlayFile(b *testing.B) {
	tier := FirstTier()
	src := []byte("---\nname: plain\ndescription: Makes a plain thing plainer. Use for plain things.\nlicense: MIT\ncompatibility: Needs git\n" +
		"allowed-tools: Read Grep\nargument-hint: \"[file]\"\nuser-invocable: true\nmetadata:\n  author: someone\n---\n# Plain\n\nBody text.\n")
	for b.Loop() {
		d := NewDoc("x/plain/SKILL.md", src)
		for _, p := range tier {
			if o := p.PlayFile(d); !o.Listed {
				b.Fatal(o.Reason)
			}
		}
	}
}

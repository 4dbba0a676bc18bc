package skills

// With returns the skill as it is once its SKILL.md, or the file beside it that tells Codex of it, has
// another text. A nil document leaves the one that is there. Where the skill lies and what its folder holds
// stay as they are.
func (s *Skill) With(doc, sidecar *Document) *Skill {
	next := &Skill{
		Doc: s.Doc, Dir: s.Dir, Folder: s.Folder, Layout: s.Layout, Root: s.Root, Brand: s.Brand, Depth: s.Depth,
		Parent: s.Parent, Files: s.Files, Sidecar: s.Sidecar, Front: s.Front, Err: s.Err,
	}
	if sidecar != nil {
		next.Sidecar = sidecar
	}
	if doc != nil {
		next.Doc, next.Front, next.Err = doc, parseFront(doc.Text), nil
	}
	return next
}

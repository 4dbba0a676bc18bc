package dialect

func vscode(s *Source, _ Options) (Map, error) { return nil, nil }

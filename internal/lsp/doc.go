// Package lsp is the language server: it turns the Language Server Protocol into questions to the workspace
// and answers into protocol types. Each method has a file of its own.
//
// One immutable state (open documents, workspaces, settings) is replaced by notifications, in the order they
// arrive; a request is answered from the state it arrived at. Diagnostics of an edited file are worked out at
// once; what depends on other files when the user has paused.
//
// The protocol: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.18/specification/
package lsp

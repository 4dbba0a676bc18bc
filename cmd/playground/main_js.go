// Command playground is the program inside the page in a browser: it answers what the page's script asks.
package main

import (
	"context"
	"syscall/js"

	"github.com/skill-ls/skill-ls/internal/playground"
)

// main gives the script a function skilllint(question, params), which returns {result} or {error}, both texts, and tells
// it by calling skilllintReady.
func main() {
	p := playground.New()
	js.Global().Set("skilllint", js.FuncOf(func(_ js.Value, args []js.Value) any {
		out, err := p.Answer(context.Background(), args[0].String(), []byte(args[1].String()))
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"result": string(out)}
	}))
	js.Global().Call("skilllintReady")
	select {}
}

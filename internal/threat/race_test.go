//go:build race

package threat

// raced tells that the race detector is on: regular expressions are thirty times slower with it.
const raced = true

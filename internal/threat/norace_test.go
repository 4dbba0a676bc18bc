//go:build !race

package threat

const raced = false

package route

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// refusal opens a clause that says what a skill is not for. The clause ends with its sentence.
var refusal = lazyregexp.New(`(?i)\b(?:` + strings.Join([]string{
	// English
	`(?:do|does|should|must|can) ?not (?:be )?(?:use|used|trigger|triggered|invoke|invoked|activate|apply|call|run|load|for)`,
	`don['’]t (?:use|trigger|invoke|activate)`,
	`never (?:use|trigger|invoke)`,
	`not (?:for|intended|meant|suitable|designed|when)`,
	`avoid (?:for|using|when)`,
	`skip (?:for|when|if|only|this)`,
	`when not to use`,
	`except for`,
	// German
	`nicht (?:für|verwenden|benutzen|nutzen|geeignet|wenn)`,
	// French
	`ne (?:pas|jamais) utiliser`, `n['’]utilise[zr]? pas`, `pas pour`,
	// Spanish
	`no (?:usar|uses|use|utilizar|utilices|utilice|es para|sirve para|para)`,
	// Portuguese
	`não (?:usar|use|utilizar|utilize|é para|serve para|para)`,
	// Italian
	`non (?:usare|utilizzare|è per|per)`,
}, "|") + `)\b|` + strings.Join([]string{
	// Russian
	`не (?:использовать|используй|используйте|применять|применяй|для|подходит)`,
	// Chinese
	`不要用`, `不要触发`, `不要觸發`, `不用于`, `不用於`, `不适用`, `不適用`, `不触发`, `不觸發`, `不处理`, `不處理`, `不负责`, `不負責`, `请勿`, `請勿`, `勿用`,
}, "|"))

// refusalBehind closes such a clause in languages whose verb comes last.
var refusalBehind = lazyregexp.New(`使わない|使用しない|使用しません|使わないで|対象外|사용하지|쓰지 마`)

// sentenceEnd ends a sentence. A full stop within a word, as in ".NET", does not.
var sentenceEnd = lazyregexp.New(`[.!?](?:\s|$)|[;；。！？\n]`)

// claims returns what a description says a skill is for, without the clauses that say what it is not for: they
// name what belongs to other skills.
func claims(description string) string {
	var b strings.Builder
	for description != "" {
		end := len(description)
		if m := sentenceEnd.FindStringIndex(description); m != nil {
			end = m[1]
		}
		sentence := description[:end]
		description = description[end:]
		if refusalBehind.MatchString(sentence) {
			continue
		}
		if m := refusal.FindStringIndex(sentence); m != nil {
			sentence = sentence[:m[0]] + "\n"
		}
		b.WriteString(sentence)
	}
	return b.String()
}

// closing holds the quotation mark that ends what another began.
var closing = map[rune]rune{'"': '"', '\'': '\'', '`': '`', '“': '”', '„': '“', '‘': '’', '«': '»', '「': '」', '『': '』'}

// Lengths of a quoted phrase, in bytes.
const shortPhrase, longPhrase = 3, 240

// phrases returns what a description quotes. Authors quote what users say.
func phrases(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if end := closing[r]; end != 0 && !letterBefore(text, i) {
			if phrase, ok := quoted(text[i+n:], end); ok {
				out = append(out, phrase)
				n += len(phrase)
			}
		}
		i += n
	}
	return out
}

func letterBefore(text string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsLetter(r) && !isUnspaced(r)
}

// quoted returns the text up to a closing mark that no letter follows: "don't" has none.
func quoted(text string, end rune) (string, bool) {
	for i, r := range text {
		if i > longPhrase {
			break
		}
		if r != end {
			continue
		}
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		if !unicode.IsLetter(after) || isUnspaced(after) || end != '\'' && end != '’' {
			return text[:i], i >= shortPhrase
		}
	}
	return "", false
}

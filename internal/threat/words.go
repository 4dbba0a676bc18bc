package threat

import "strings"

// reason is what a word gives reason for, and what has to stand around it.
type reason struct {
	what   detector
	before string // one of these bytes stands before it; anything when empty
	after  string // this follows; anything when empty
	unless string // one of these bytes does not follow
}

// words are the words that give reason to look at a place: no pattern is tried elsewhere. Keys are in lower case.
var words = makeWords()

func makeWords() map[string][]reason {
	out := map[string][]reason{}
	for _, group := range []struct {
		reason
		words string
	}{
		{reason{what: fetches | sends}, "curl wget iwr irm webrequest restmethod aria2c"},
		{reason{what: fetches}, "iex downloadstring downloadfile downloaddata mshta regsvr32 certutil bitsadmin"},
		{reason{what: fetches | decodes | runs, after: "("}, "eval exec execsync popen system"},
		{reason{what: fetches | decodes | runs, after: " "}, "eval"},
		{reason{what: fetches | decodes | runs, after: " -c"}, "sh bash zsh python python3 node"},
		{reason{what: fetches | decodes, after: " <"}, "sh bash zsh"},
		{reason{what: runs, before: " |/", after: "\n"}, "sh bash zsh"},
		{reason{what: fetches | sends}, "requests urlopen httpx axios urllib"},
		{reason{what: fetches | sends, after: "("}, "fetch"},
		{reason{what: sends}, "nc ncat netcat scp rsync nslookup dig xmlhttprequest smtplib sendmail mailx sendbeacon httpsconnection httpconnection"},
		{reason{what: sends, after: "("}, "post put send sendall sendto gethostbyname getaddrinfo request"},
		{reason{what: decodes}, "base64 b64decode frombase64string base64_decode decode64 gzinflate xxd unhexlify fromhex fromcharcode atob"},
		{reason{what: decodes, after: ".from("}, "buffer"},
		{reason{what: keys, after: " KEY-----"}, "private"},
		{reason{what: decodes, before: "-"}, "enc encodedcommand e ec"},
		{reason{what: shells}, "mkfifo dup2 fsockopen tcpclient tcpsocket socat nc ncat netcat"},
		{reason{what: shells, before: "/"}, "tcp udp"},
		{reason{what: reads}, "id_rsa id_ed25519 id_ecdsa id_dsa printenv keychain keychains bash_history zsh_history"},
		{reason{what: reads, unless: "[.?"}, "environ"},
		{reason{what: reads, after: ".copy"}, "environ"},
		{reason{what: reads, after: ".items"}, "environ"},
		{reason{what: reads, before: ".", after: "/"}, "ssh aws gnupg kube docker azure claude codex cursor gemini"},
		{reason{what: reads, before: ".", unless: ".[?("}, "env ssh netrc npmrc pypirc pgpass gnupg credentials"},
		{reason{what: reads, before: ".", after: "-"}, "git vault"},
		{reason{what: reads, before: "/"}, "shadow passwd gcloud environ credentials cookies keystore"},
		{reason{what: reads, before: "/", after: "/"}, "gh"},
		{reason{what: reads, after: ".sqlite"}, "cookies"},
		{reason{what: reads, before: "(|;&`"}, "env"},
		{reason{what: reads, after: " |"}, "env set export"},
		{reason{what: reads, after: " variables"}, "environment"},
		{reason{what: reads, after: " history"}, "conversation chat"},
		{reason{what: reads, after: " key"}, "ssh private"},
		{reason{what: reads, after: " cookies"}, "browser"},
		{reason{what: reads, after: " find-"}, "security"},
		{reason{what: reads, after: " dump-"}, "security"},
		{reason{what: reads, after: " Data"}, "login"},
		{reason{what: reads, after: ".dat"}, "wallet"},
		{reason{what: reads, after: "-data"}, "meta"},
		{reason{what: hosts}, "requestbin pipedream interactsh oast oastify burpcollaborator ngrok trycloudflare localtunnel beeceptor hookbin requestcatcher 0x0 termbin " +
			"dnslog ceye canarytokens requestinspector bashupload ptsv2 requestrepo"},
		{reason{what: hosts, after: ".site"}, "webhook"},
		{reason{what: hosts, after: ".lt"}, "loca"},
		{reason{what: hosts, after: ".sh"}, "transfer interact temp oshi"},
		{reason{what: hosts, after: ".net"}, "serveo"},
		{reason{what: hosts, after: ".io"}, "file ix gofile"},
		{reason{what: hosts, after: ".com"}, "pastebin discord discordapp hastebin"},
		{reason{what: hosts, after: ".run"}, "localhost"},
		{reason{what: hosts, after: ".telegram.org"}, "api"},
		{reason{what: overrides}, "ignore ignoring disregard disregarding forget override overrides overrule supersede supersedes bypass jailbreak jailbroken dan devmode unrestricted restrictions im_start"},
		{reason{what: overrides, after: " mode"}, "developer dev"},
		{reason{what: overrides, before: "/", after: ">"}, "available_skills available_tools skills skill tools system functions"},
		{reason{what: overrides, before: "<[|"}, "system inst sys assistant start_header_id"},
		{reason{what: overrides, after: " OVERRIDE"}, "system"},
		{reason{what: overrides, after: " override:"}, "system"},
		{reason{what: overrides, after: " MESSAGE"}, "system"},
		{reason{what: overrides, after: " message:"}, "system"},
		{reason{what: conceals}, "tell telling inform informing notify notifying mention mentioning reveal revealing disclose disclosing alert alerting"},
		{reason{what: quiets}, "silently secretly covertly stealthily quietly"},
		{reason{what: veils}, "conceal hide hidden secret confidential noticing knowing knowledge aware awareness told informed notified notice"},
		{reason{what: consents}, "asking confirmation permission approval consent prompting yolo bypasspermissions"},
		{reason{what: consents, before: "-"}, "dangerously"},
		{reason{what: destroys}, "rm mkfs shred rmtree wipefs rmsync rmdirsync"},
		{reason{what: destroys, after: " "}, "dd chmod rd del"},
		{reason{what: destroys, after: " c:"}, "format"},
		{reason{what: destroys, after: " C:"}, "format"},
		{reason{what: destroys, before: "-"}, "item"},
		{reason{what: disables}, "setenforce csrutil spctl disablerealtimemonitoring ufw firewalld iptables auditd netsh windefend exclusionpath amsi amsiutils mpcmdrun selinux crowdstrike falcon"},
		{reason{what: disables, before: "$ \t\n;&", after: "="}, "histfile histsize"},
		{reason{what: persists}, "crontab bashrc zshrc bash_profile zprofile launchagents launchdaemons launchctl systemctl schtasks authorized_keys autostart hookspath sudoers runonce currentversion"},
		{reason{what: persists, before: "/", after: "/"}, "hooks"},
		{reason{what: persists, after: ".md"}, "claude agents memory soul gemini"},
		{reason{what: persists, before: "."}, "cursorrules windsurfrules"},
		{reason{what: mines}, "xmrig stratum minerd cpuminer cryptonight ethminer lolminer nbminer"},
		{reason{what: bases}, "anthropic_base_url openai_base_url openai_api_base google_gemini_base_url anthropic_bedrock_base_url"},
	} {
		for _, w := range strings.Fields(group.words) {
			out[w] = append(out[w], group.reason)
		}
	}
	return out
}

// reasons returns what a word at a place gives reason for.
func reasons(src string, start, end int) detector {
	var out detector
	for _, r := range words[strings.ToLower(src[start:end])] {
		if r.before != "" && (start == 0 || strings.IndexByte(r.before, src[start-1]) < 0) || !strings.HasPrefix(src[end:], r.after) ||
			r.unless != "" && end < len(src) && strings.IndexByte(r.unless, src[end]) >= 0 {
			continue
		}
		out |= r.what
	}
	return out
}

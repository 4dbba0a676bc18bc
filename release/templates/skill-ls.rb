class SkillLs < Formula
  desc "Linter and language server for Agent Skills and MCP servers"
  homepage "https://github.com/skill-ls/skill-ls"
  version "{{.Version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "https://github.com/skill-ls/skill-ls/releases/download/v{{.Version}}/skill-ls_{{.Version}}_darwin_arm64.tar.gz"
      sha256 "{{index .Sums "darwin_arm64"}}"
    end
    on_intel do
      url "https://github.com/skill-ls/skill-ls/releases/download/v{{.Version}}/skill-ls_{{.Version}}_darwin_amd64.tar.gz"
      sha256 "{{index .Sums "darwin_amd64"}}"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/skill-ls/skill-ls/releases/download/v{{.Version}}/skill-ls_{{.Version}}_linux_arm64.tar.gz"
      sha256 "{{index .Sums "linux_arm64"}}"
    end
    on_intel do
      url "https://github.com/skill-ls/skill-ls/releases/download/v{{.Version}}/skill-ls_{{.Version}}_linux_amd64.tar.gz"
      sha256 "{{index .Sums "linux_amd64"}}"
    end
  end

  def install
    bin.install "skilllint", "skill-ls"
    man1.install Dir["share/man/*.1"]
    bash_completion.install "share/completions/skilllint.bash" => "skilllint"
    zsh_completion.install "share/completions/_skilllint"
    fish_completion.install "share/completions/skilllint.fish"
    pkgshare.install "skills"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/skilllint --version")
    (testpath/"tea/SKILL.md").write "---\nname: tea\ndescription: \"Brews tea: green or black. Use when somebody is thirsty.\"\n---\n\nBoil water.\n"
    system bin/"skilllint", "tea"
  end
end

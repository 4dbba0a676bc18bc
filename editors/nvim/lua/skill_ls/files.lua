-- Which files the server is for, and which folder they belong to.
local M = {}

-- Lua patterns of paths with slashes, besides SKILL.md and what lies in a skill's folder: configurations of skilllint and
-- of MCP servers.
M.patterns = {
  "/%.skilllint%.ya?ml$", "/%.skilllint%.json$", "/mcp%-tools%.lock%.json$",
  "[/%-]mcp%.json$", "/%.mcp%.json$", "/mcp%-config%.json$", "/mcp_config%.json$", "mcp_settings%.json$", "/claude_desktop_config%.json$",
  "/%.claude/settings[^/]*%.json$", "/%.claude%.json$", "/%.gemini/settings%.json$", "/%.zed/settings%.json$", "/%.vscode/settings%.json$",
  "/%.codex/config%.toml$", "/opencode%.jsonc?$", "/gemini%-extension%.json$", "/%.claude%-plugin/plugin%.json$", "/goose/config%.yaml$",
}

local function exists(path) return vim.loop.fs_stat(path) ~= nil end

local function normal(path) return (vim.fn.fnamemodify(path, ":p"):gsub("\\", "/")) end

-- Calls found with each folder above a path, the innermost first, and returns the first answer there is.
local function above(path, found)
  local dir = vim.fn.fnamemodify(path, ":h")
  while true do
    local answer = found(dir)
    if answer then return answer end
    local parent = vim.fn.fnamemodify(dir, ":h")
    if parent == dir or parent == "." then return nil end
    dir = parent
  end
end

-- Returns the folder of the skill that a file is, or is a part of, or nil.
function M.skill_of(path)
  path = normal(path)
  if path:lower():match("/skill%.md$") then return vim.fn.fnamemodify(path, ":h") end
  return above(path, function(dir) return exists(dir .. "/SKILL.md") and dir or nil end)
end

local function matches(path, patterns)
  for _, p in ipairs(patterns) do
    if path:match(p) then return true end
  end
  return false
end

-- Reports whether the server has something to say about a file. more holds patterns besides M.patterns.
function M.concerns(path, more)
  if path == "" or path:match("^%a[%w+.-]+://") then return false end
  path = normal(path)
  if matches(path, M.patterns) or matches(path, more or {}) then return true end
  return (path:match("%.[mM][dD]$") or path:match("/agents/openai%.yaml$")) and M.skill_of(path) ~= nil
end

-- Returns the folder that the server works on for a file: that of the Git repository, else the one with the configuration,
-- else the one that holds the hidden folder with the skill, else the file's own.
function M.root(path)
  path = normal(path)
  return above(path, function(dir) return exists(dir .. "/.git") and dir or nil end)
    or above(path, function(dir)
      for _, name in ipairs({ ".skilllint.yaml", ".skilllint.yml", ".skilllint.json" }) do
        if exists(dir .. "/" .. name) then return dir end
      end
    end)
    or path:match("^(.+)/%.[^/]+/skills/")
    or vim.fn.fnamemodify(M.skill_of(path) or path, ":h")
end

return M

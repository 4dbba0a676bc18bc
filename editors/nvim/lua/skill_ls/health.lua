-- :checkhealth skill_ls
local server = require("skill_ls.server")

local M = {}

local new = vim.health ~= nil and vim.health.start ~= nil -- 0.10
local report = new and vim.health or require("health")

local function say(level, ...) report[(new and "" or "report_") .. level](string.format(...)) end

local function check_program(cmd)
  local path = vim.fn.exepath(cmd[1])
  if path == "" then
    return say("error", "there is no program %q in PATH; install it with: go install ./cmd/skill-ls, or name it with cmd", cmd[1])
  end
  local version = vim.fn.system({ path, "--version" })
  if vim.v.shell_error ~= 0 then
    return say("error", "%s --version fails: %s", path, vim.trim(version))
  end
  say("ok", "%s is %s", vim.trim(version), path)
end

local function check_client(client)
  say("ok", "it runs in %s", client.config.root_dir or "no folder")
  local provider = client.server_capabilities.executeCommandProvider or {}
  for _, name in ipairs({ "simulate", "clients", "route", "probe", "replay" }) do
    if not vim.tbl_contains(provider.commands or {}, "skill." .. name) then
      say("warn", "this server does not know skill/%s; install the newest one", name)
    end
  end
end

function M.check()
  say("start", "skill-ls")
  local options = require("skill_ls").options
  if vim.fn.has("nvim-0.7") == 0 then
    return say("error", "Neovim 0.7 or newer is needed")
  end
  say(vim.lsp.inlay_hint and "ok" or "info", vim.lsp.inlay_hint and "inlay hints are there" or "this Neovim has no inlay hints; 0.10 has")
  if not options then
    return say("error", 'setup was not called; put require("skill_ls").setup() into init.lua')
  end
  check_program(options.cmd)
  local clients = server.clients()
  if #clients == 0 then
    say("info", "the server does not run; it starts with the first SKILL.md")
  end
  for _, client in ipairs(clients) do
    check_client(client)
  end
end

return M

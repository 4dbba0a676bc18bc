-- Defines the commands. Nothing is started before require("skill_ls").setup() and the first file that concerns the server.
if vim.g.loaded_skill_ls or vim.fn.has("nvim-0.7") == 0 then return end
vim.g.loaded_skill_ls = true

local function define(command, name, options)
  vim.api.nvim_create_user_command(command, function(o) require("skill_ls.commands").run(name, o.fargs) end, options)
end

local function clients(lead) return require("skill_ls.commands").complete_client(lead) end

define("SkillSimulate", "simulate", { nargs = "*", complete = clients, desc = "Show what a client puts before its model" })
define("SkillClients", "clients", { nargs = "*", complete = clients, desc = "Show which clients list which skills" })
define("SkillRoute", "route", { nargs = "*", desc = "Show which skill a query picks" })
define("SkillProbe", "probe", { nargs = "*", desc = "Ask MCP servers for their tools, with consent" })
define("SkillReplay", "replay", { nargs = 1, complete = "file", desc = "Hold the tool calls of a transcript against today's tools" })

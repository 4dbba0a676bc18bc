-- The commands: each asks the server and shows the answer.
local files, server, view = require("skill_ls.files"), require("skill_ls.server"), require("skill_ls.view")

local M = {}

local unknown_method = -32601 -- of JSON-RPC

local function complain(...) vim.notify("skill-ls: " .. string.format(...), vim.log.levels.ERROR) end

-- Names the buffer's file for a request, where it is part of a skill or configures servers.
local function document(buf)
  local path = vim.api.nvim_buf_get_name(buf)
  if files.concerns(path) then return { uri = vim.uri_from_bufnr(buf) } end
end

local function rest(args, from)
  if #args >= from then return table.concat(args, " ", from) end
end

local function some(list)
  if #list > 0 then return list end
end

-- The parameters of each request, from the words behind the command and the buffer.
local parameters = {
  simulate = function(args, buf) return { textDocument = document(buf), client = args[1], args = rest(args, 2) } end,
  clients = function(args, buf)
    local doc = document(buf)
    if doc and not files.skill_of(vim.api.nvim_buf_get_name(buf)) then doc = nil end
    return { textDocument = doc, clients = some(args) }
  end,
  route = function(args, buf) return { textDocument = document(buf), queries = some({ rest(args, 1) }) } end,
  probe = function(args, buf) return { textDocument = document(buf), servers = some(args) } end,
  replay = function(args) return { recordings = { vim.uri_from_fname(vim.fn.fnamemodify(rest(args, 1), ":p")) }, all = true } end,
}

local function show(name, result)
  view.show(name, result.markdown or vim.inspect(result))
end

-- Sends the request of that name.
local function request(client, name, params, buf, done)
  server.request(client, "skill/" .. name, next(params) and params or vim.empty_dict(), buf, done)
end

-- Sends it and shows the answer.
local function ask(client, name, params, buf)
  local method = "skill/" .. name
  request(client, name, params, buf, function(err, result)
    if err and err.code == unknown_method then
      complain("the server does not know %s: it is older than this plugin; install the newest skill-ls", method)
    elseif err then
      complain("%s", err.message)
    elseif result == nil or result == vim.NIL then
      complain("the server has no answer to %s", method)
    else
      show(name, result)
    end
  end)
end

-- Returns the server of a buffer, or of any other when it has none, and nil when none runs.
local function running(buf) return server.clients(buf)[1] or server.clients()[1] end

-- Runs a command: name is simulate, clients, route, probe or replay, args the words behind it.
function M.run(name, args)
  local buf = vim.api.nvim_get_current_buf()
  local client = running(buf)
  if not client then
    return complain("the server does not run: open a SKILL.md, or see :checkhealth skill_ls")
  end
  ask(client, name, parameters[name](args, buf), buf)
end

-- Completes names of clients with those that the server judges the skill by.
function M.complete_client(lead)
  local buf = vim.api.nvim_get_current_buf()
  local client = running(buf)
  if not client then return {} end
  local answer
  request(client, "clients", parameters.clients({}, buf), buf, function(_, result) answer = result or { clients = {} } end)
  vim.wait(1000, function() return answer ~= nil end, 5)
  local result = answer or { clients = {} }
  return vim.tbl_filter(function(name) return vim.startswith(name, lead) end, vim.tbl_map(function(c) return c.name end, result.clients))
end

-- Runs what a lens offers: its argument is the URI of a document or the parameters of the request.
local function lens(name)
  return function(command, context)
    local argument = command.arguments[1]
    local params = type(argument) == "string" and { textDocument = { uri = argument } } or argument
    ask(vim.lsp.get_client_by_id(context.client_id), name, params, context.bufnr)
  end
end

-- Registers what lenses run.
function M.register()
  for name in pairs(parameters) do
    vim.lsp.commands["skill." .. name] = lens(name)
  end
end

return M

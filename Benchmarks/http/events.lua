-- POST /v1/events with batches of 50 events, none of which was sent before. The bodies are made before the clock runs.
-- The file that PLACARD_BENCH_USERS names has a line for each user: the user and the user's cards.
local users = {}
for line in io.lines(os.getenv("PLACARD_BENCH_USERS")) do
    local words = {}
    for word in line:gmatch("%S+") do words[#words + 1] = word end
    users[#users + 1] = words
end
local now = tonumber(os.getenv("PLACARD_BENCH_NOW"))
local round = tonumber(os.getenv("PLACARD_BENCH_ROUND"))
local count = tonumber(os.getenv("PLACARD_BENCH_BODIES"))
local types = { "impression", "impression", "impression", "click" }
local bodies = {}

function init()
    wrk.method = "POST"
    wrk.path = "/v1/events"
    wrk.headers["Authorization"] = "Bearer " .. os.getenv("PLACARD_BENCH_KEY")
    wrk.headers["Content-Type"] = "application/json"
    for i = 1, count do
        local user = users[i % #users + 1]
        local events = {}
        for j = 1, 50 do
            events[j] = string.format(
                '{"id":"0190b2f0-%04x-7%03x-8000-%012x","type":"%s","card_id":"%s","at":%d}',
                round, j, i, types[j % 4 + 1], user[j % (#user - 1) + 2], now)
        end
        bodies[i] = wrk.format(nil, nil, nil, string.format(
            '{"user_id":"%s","device_id":"bench","events":[%s]}', user[1], table.concat(events, ",")))
    end
end

local position = 0
function request()
    position = position + 1
    -- Past the last body the events are no news any more, and the run says so.
    return bodies[position] or bodies[count]
end

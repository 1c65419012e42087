-- POST /v1/sync with one body, taken from the environment.
wrk.method = "POST"
wrk.path = "/v1/sync"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("PLACARD_BENCH_KEY")
wrk.headers["Content-Type"] = "application/json"
wrk.body = os.getenv("PLACARD_BENCH_BODY")

local failed = 0
function response(status)
    if status ~= 200 then failed = failed + 1 end
end

-- POST /v1/sync with one body, taken from the environment.
-- Without a function for the answers: wrk counts refusals itself, and calling Lua for each would be what is measured.
wrk.method = "POST"
wrk.path = "/v1/sync"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("PLACARD_BENCH_KEY")
wrk.headers["Content-Type"] = "application/json"
wrk.body = os.getenv("PLACARD_BENCH_BODY")

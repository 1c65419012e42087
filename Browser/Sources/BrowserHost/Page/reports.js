// What the page tells the server, and when.

let queue = [];
let isSending = false;
function report(event) {
    if (event.k === "scroll") queue = queue.filter((other) => other.k !== "scroll" || other.i !== event.i);
    if (event.k === "touch" && !event.b)
        queue = queue.filter((other) => other.k !== "touch" || other.i !== event.i || other.b);
    if (event.k === "zoom" && !event.t)
        queue = queue.filter((other) => other.k !== "zoom" || other.i !== event.i || other.t);
    if (event.k === "finger") queue = queue.filter((other) => other.k !== "finger" || other.p !== "moved");
    queue.push(event);
    send();
}

async function send(extra) {
    if (extra) queue.unshift(extra);
    if (isSending || queue.length === 0) return;
    isSending = true;
    document.body.dataset.sending = "";
    const sent = queue;
    queue = [];
    const environment = sent.filter((item) => item.environment).pop();
    const body = { events: sent.filter((item) => item.k) };
    if (environment) body.environment = environment.environment;
    try {
        await fetch(`${base}events?page=${pageID}`, {
            method: "POST",
            body: JSON.stringify(body),
            headers: { "Content-Type": "application/json" },
        });
    } catch {
        /* The stream notices too, and asks for everything when it is back. */
    }
    isSending = false;
    delete document.body.dataset.sending;
    send();
}

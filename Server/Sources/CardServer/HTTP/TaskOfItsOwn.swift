/// Runs a function in a task of its own, which begins at once on this thread and is cancelled with the caller's.
///
/// A task keeps the memory of its deepest calls until it ends, and the task of a connection ends with the connection:
/// tens of thousands that only wait would each keep what their last request took.
func inTaskOfItsOwn<Value: Sendable>(_ function: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task.immediate { await function() }
    return await withTaskCancellationHandler {
        await task.value
    } onCancel: {
        task.cancel()
    }
}

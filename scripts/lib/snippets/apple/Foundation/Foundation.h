#pragma once
#import <ObjectiveC/NSObject.h>
#pragma clang assume_nonnull begin
typedef double NSTimeInterval;
@class NSCoder;
@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end
@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable NSZone *)zone;
@end
@protocol NSCoding
- (void)encodeWithCoder:(NSCoder *)coder;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end
@interface NSCoder : NSObject
@end
__attribute__((swift_bridge("Swift.String"))) @interface NSString : NSObject <NSCopying, NSMutableCopying>
@end
__attribute__((swift_bridge("Swift.Array"))) @interface NSArray<__covariant ObjectType> : NSObject <NSCopying, NSMutableCopying>
@end
@interface NSMutableArray<ObjectType> : NSArray<ObjectType>
@end
__attribute__((swift_bridge("Swift.Dictionary"))) @interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying>
@end
__attribute__((swift_bridge("Swift.Set"))) @interface NSSet<__covariant ObjectType> : NSObject <NSCopying>
@end
@interface NSValue : NSObject <NSCopying>
@end
@interface NSNumber : NSValue
@end
@interface NSDecimalNumber : NSNumber
@end
__attribute__((swift_bridge("Date"))) @interface NSDate : NSObject <NSCopying>
@end
__attribute__((swift_bridge("URL"))) @interface NSURL : NSObject <NSCopying>
@end
__attribute__((swift_bridge("Data"))) @interface NSData : NSObject <NSCopying>
@end
__attribute__((swift_bridge("IndexPath"))) @interface NSIndexPath : NSObject <NSCopying>
@end
__attribute__((swift_bridge("Swift.Error"))) @interface NSError : NSObject <NSCopying>
@end
__attribute__((swift_name("Bundle"))) @interface NSBundle : NSObject
@property (class, readonly) NSBundle *mainBundle __attribute__((swift_name("main")));
- (NSString *)localizedStringForKey:(NSString *)key value:(nullable NSString *)value table:(nullable NSString *)tableName __attribute__((swift_name("localizedString(forKey:value:table:)")));
@end
__attribute__((swift_bridge("Notification"))) @interface NSNotification : NSObject <NSCopying>
@end
typedef NSString *NSNotificationName __attribute__((swift_wrapper(struct))) __attribute__((swift_name("NSNotification.Name")));
@interface NSAttributedString : NSObject <NSCopying>
@end
#pragma clang assume_nonnull end
